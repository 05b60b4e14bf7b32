// Loads the contracts in src-shared, which are TypeScript, by bundling them into a file that Node can import.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleProgram } from '../build/bundles.mjs';
import { CACHE, inRoot } from '../setup/paths.mjs';

const ENTRY = [
  "export { TOOLS, listTool } from './tools/index.ts';",
  "export { SETTINGS } from './settings/index.ts';",
  "export { ERRORS } from './errors.ts';",
  "export * as z from 'zod';",
].join('\n');

/** The tools, settings and errors as they are declared now, and the zod that they were made with. */
export async function loadContracts() {
  fs.mkdirSync(CACHE, { recursive: true });
  const folder = fs.mkdtempSync(path.join(CACHE, 'contracts-'));
  try {
    const outfile = path.join(folder, 'contracts.mjs');
    await bundleProgram({ stdin: { contents: ENTRY, resolveDir: inRoot('src-shared'), loader: 'ts' }, outfile });
    return await import(pathToFileURL(outfile).href);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
