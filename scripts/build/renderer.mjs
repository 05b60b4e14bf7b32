// Builds the two pages with Vite into a folder of its own and swaps it in when it is complete.
import fs from 'node:fs';
import path from 'node:path';
import { OUT, inRoot } from '../setup/paths.mjs';

/** Serves the pages with live changes. @returns {Promise<{url: string, close: () => Promise<void>}>} */
export async function servePages() {
  const { createServer } = await import('vite');
  const server = await createServer({
    configFile: inRoot('vite.config.ts'),
    root: inRoot('src-renderer'),
    logLevel: 'warn',
  });
  await server.listen();
  const url = server.resolvedUrls.local[0];
  return { url, close: () => server.close() };
}

/** Builds out/renderer. */
export async function buildRenderer() {
  const { build } = await import('vite');
  const draft = path.join(OUT, `.renderer-${process.pid}`);
  const target = path.join(OUT, 'renderer');
  // Vite goes by this variable, which is "test" where a test run builds: the pages would then hold React's slow variant.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    await build({
      configFile: inRoot('vite.config.ts'),
      root: inRoot('src-renderer'),
      logLevel: 'error',
      build: { outDir: draft, emptyOutDir: true },
    });
    fs.rmSync(target, { recursive: true, force: true });
    fs.renameSync(draft, target);
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
    fs.rmSync(draft, { recursive: true, force: true });
  }
}
