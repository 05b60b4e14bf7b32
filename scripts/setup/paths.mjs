// Where things are: the repository's root and the folders that the scripts read and write.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's top folder. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** A path below the repository's top folder. */
export const inRoot = (...parts) => path.join(ROOT, ...parts);

/** Bundles and pages. */
export const OUT = inRoot('out');

/** Locks and stamps that survive `npm ci`. */
export const CACHE = inRoot('.cache');
