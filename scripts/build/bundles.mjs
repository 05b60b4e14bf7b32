// Bundles the programs that run in Node and Electron, one file each, with esbuild.
import fs from 'node:fs';
import path from 'node:path';
import { OUT, inRoot } from '../setup/paths.mjs';
import { writeWhole } from '../setup/stamp.mjs';

/** ESM bundles of CommonJS packages (ssh2, ws) still ask for these three. */
const COMMONJS_NAMES = [
  "import { createRequire as __bundleRequire } from 'node:module';",
  "import { fileURLToPath as __bundlePath } from 'node:url';",
  'const require = __bundleRequire(import.meta.url);',
  'const __filename = __bundlePath(import.meta.url);',
  "const __dirname = __bundlePath(new URL('.', import.meta.url));",
].join('\n');

/** Every program: where it starts and where its bundle goes. The bridge is kept bare because it must start fast. */
export const PROGRAMS = [
  { entry: 'src-main/electron/main.ts', outfile: 'main.js', format: 'esm', banner: COMMONJS_NAMES },
  { entry: 'src-main/headless.ts', outfile: 'headless.js', format: 'esm', banner: COMMONJS_NAMES },
  { entry: 'src-main/core/ssh/key-worker.ts', outfile: 'key-worker.js', format: 'esm', banner: COMMONJS_NAMES },
  { entry: 'src-main/bridge/bridge.ts', outfile: 'bridge.js', format: 'esm', banner: '', minify: true },
  { entry: 'src-main/electron/preload.ts', outfile: 'preload.cjs', format: 'cjs', banner: '' },
];

/** Bundles all programs into out/. */
export async function buildPrograms() {
  await Promise.all(
    PROGRAMS.filter(({ entry }) => fs.existsSync(inRoot(entry))).map((program) =>
      bundleProgram({ ...program, entry: inRoot(program.entry), outfile: path.join(OUT, program.outfile) }),
    ),
  );
}

/**
 * Bundles one program for Node or Electron; tests use it for programs of their own (fixture servers).
 * @param {{entry?: string, stdin?: object, outfile: string, format?: 'esm'|'cjs', banner?: string, minify?: boolean}} program
 *   absolute paths; `stdin` (esbuild's) in place of `entry` for a source that is no file
 */
export async function bundleProgram({
  entry,
  stdin,
  outfile,
  format = 'esm',
  banner = COMMONJS_NAMES,
  minify = false,
}) {
  const { build } = await import('esbuild');
  const result = await build({
    ...(stdin === undefined ? { entryPoints: [entry] } : { stdin }),
    outfile,
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node20',
    format,
    banner: banner ? { js: banner } : {},
    minify,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    // Native parts are optional in ssh2 and ws: left outside, their absence is caught there.
    external: ['electron', 'cpu-features', '*.node', 'bufferutil', 'utf-8-validate'],
    mainFields: ['module', 'main'],
  });
  for (const file of result.outputFiles) writeWhole(file.path, file.contents);
}
