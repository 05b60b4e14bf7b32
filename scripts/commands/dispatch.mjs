// Finds the command that an npm script names, and turns failures into plain lines and an exit code.
import { PlainFailure } from '../setup/say.mjs';

const COMMANDS = {
  start: () => import('./start.mjs'),
  dev: () => import('./dev.mjs'),
  build: () => import('./build.mjs'),
  check: () => import('./check.mjs'),
  test: () => import('./test.mjs'),
  'test:unit': () => import('./test-unit.mjs'),
  'test:long': () => import('./test-long.mjs'),
  'test:e2e': () => import('./test-e2e.mjs'),
  bench: () => import('./bench.mjs'),
  package: () => import('./package.mjs'),
};

/** Runs a command with the arguments that follow it and sets the exit code that it returns. */
export async function dispatch(name, args) {
  try {
    const load = COMMANDS[name];
    if (load === undefined)
      throw new PlainFailure(`there is no command ${name}; there are: ${Object.keys(COMMANDS).join(', ')}`);
    const { command } = await load();
    process.exitCode = await command(args);
  } catch (error) {
    const text = error instanceof PlainFailure ? error.message : (error.stack ?? String(error));
    process.stderr.write(`[patchbay] ${text}\n`);
    process.exitCode = error.exitCode ?? 1;
  }
}
