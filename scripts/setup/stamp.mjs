// Knows whether something made from files is still up to date, by a hash over names and contents.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from './paths.mjs';

/** A hash over the names and contents of all files in the given files and folders (relative to the root). */
export function hashOf(sources, salt = '') {
  const hash = createHash('sha256').update(salt);
  for (const source of sources) {
    for (const file of filesBelow(path.join(ROOT, source))) {
      hash.update(`\0${path.relative(ROOT, file)}\0`);
      hash.update(fs.readFileSync(file));
    }
  }
  return hash.digest('hex');
}

/** All files below a path in a stable order; none when it does not exist. */
export function filesBelow(start) {
  const stat = fs.statSync(start, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (stat.isFile()) return [start];
  return fs
    .readdirSync(start)
    .sort()
    .filter((name) => name !== 'node_modules')
    .flatMap((name) => filesBelow(path.join(start, name)));
}

/** The text of a stamp file, or undefined when there is none. */
export function readStamp(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : undefined;
}

/** Writes a stamp file as a whole or not at all. */
export function writeStamp(file, text) {
  writeWhole(file, `${text}\n`);
}

/** Replaces a file in one step, so that a reader sees the old or the new one and never half of it. */
export function writeWhole(file, content) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.tmp`;
  fs.writeFileSync(draft, content);
  fs.renameSync(draft, file);
}
