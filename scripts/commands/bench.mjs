// npm run bench: measures what is promised about speed and memory.
import { copyFile } from 'node:fs/promises';
import { ensureBuilt } from '../build/up-to-date.mjs';
import { bundleProgram } from '../build/bundles.mjs';
import { runForeground } from '../setup/child.mjs';
import { ensureModules } from '../setup/modules.mjs';
import { CACHE, inRoot } from '../setup/paths.mjs';

/** Bundles the benchmark, which is TypeScript, and runs it in plain Node. */
export async function command(args) {
  await ensureModules();
  await ensureBuilt();
  const outfile = `${CACHE}/bench/bench.mjs`;
  await bundleProgram({ entry: inRoot('test/bench/bench.ts'), outfile });
  // Looked for beside the program that unlocks keys.
  await copyFile(inRoot('out/key-worker.js'), `${CACHE}/bench/key-worker.js`);
  return runForeground(process.execPath, ['--expose-gc', outfile, ...args]);
}
