// Bundles the programs that run in Node and Electron, one file each, with esbuild.
import path from 'node:path';
import { OUT, inRoot } from '../setup/paths.mjs';
import { PlainFailure } from '../setup/say.mjs';
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
  { entry: 'src-main/bridge/bridge.ts', outfile: 'bridge.js', format: 'esm', banner: '', minify: true, bare: true },
  { entry: 'src-main/electron/preload.ts', outfile: 'preload.cjs', format: 'cjs', banner: '' },
];

/** Bundles all programs into out/. */
export async function buildPrograms() {
  await Promise.all(PROGRAMS.map((program) => bundleProgram(inPlace(program))));
}

/**
 * Bundles one program for Node or Electron; tests use it for programs of their own (fixture servers).
 * @param {{entry?: string, stdin?: object, outfile: string, format?: 'esm'|'cjs', banner?: string, minify?: boolean}} program
 *   absolute paths; `stdin` (esbuild's) in place of `entry` for a source that is no file
 */
export async function bundleProgram(program) {
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build(bundleOptions(program));
  if (program.bare) refusePackages(program, metafile);
  writeBundle(outputFiles);
}

/** Bundles all programs again whenever a source changes. @returns a function that ends this */
export async function watchPrograms(onChange) {
  const { context } = await import('esbuild');
  const contexts = await Promise.all(
    PROGRAMS.map((program) => context({ ...bundleOptions(inPlace(program)), plugins: [writeAndTell(onChange)] })),
  );
  await Promise.all(contexts.map((one) => one.watch()));
  return () => Promise.all(contexts.map((one) => one.dispose()));
}

/** The first build of a watch is no change. */
function writeAndTell(onChange) {
  let isFirst = true;
  const setup = (build) =>
    build.onEnd(({ outputFiles = [], errors }) => {
      if (errors.length > 0) return;
      writeBundle(outputFiles);
      if (!isFirst) onChange();
      isFirst = false;
    });
  return { name: 'write-and-tell', setup };
}

function bundleOptions({ entry, stdin, outfile, format = 'esm', banner = COMMONJS_NAMES, minify = false }) {
  return {
    ...(stdin === undefined ? { entryPoints: [entry] } : { stdin }),
    outfile,
    bundle: true,
    write: false,
    metafile: true,
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
  };
}

/** Parsing a package costs more than the whole start of a small program. */
function refusePackages({ entry }, { inputs }) {
  const foreign = Object.keys(inputs).find((file) => file.includes('node_modules/'));
  if (foreign !== undefined) throw new PlainFailure(`${entry} has to start fast and may not contain ${foreign}`);
}

const inPlace = (program) => ({ ...program, entry: inRoot(program.entry), outfile: path.join(OUT, program.outfile) });

function writeBundle(files) {
  for (const file of files) writeWhole(file.path, file.contents);
}
