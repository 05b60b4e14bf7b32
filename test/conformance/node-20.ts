// Lets the conformance suite, which wants Node 22, start on Node 20.
import fs from 'node:fs';

const asUrl = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`;

/** node:fs as the suite imports it; it never calls globSync where it tests a server. */
const FS_WITH_GLOB = asUrl(`
  export * from 'node:fs';
  export { default } from 'node:fs';
  export function globSync() { throw new Error('globSync is not there on Node 20'); }
`);

/** Hands the stand-in to the suite alone. */
const RESOLVE = asUrl(`
  export async function resolve(name, context, next) {
    const bySuite = (context.parentURL ?? '').includes('/conformance/dist/');
    const isFs = name === 'fs' || name === 'node:fs';
    return bySuite && isFs ? { url: ${JSON.stringify(FS_WITH_GLOB)}, shortCircuit: true } : next(name, context);
  }
`);

const REGISTER = asUrl(`import { register } from 'node:module'; register(${JSON.stringify(RESOLVE)});`);

/** Arguments of node before the suite's program; none where node:fs has globSync. */
export const NODE_20_ARGUMENTS: readonly string[] = 'globSync' in fs ? [] : ['--import', REGISTER];
