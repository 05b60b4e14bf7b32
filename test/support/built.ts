// Runs once before the tests: builds the programs and pages that tests start, when they are out of date.
import { ensureBuilt } from '../../scripts/build/up-to-date.mjs';

/** Vitest calls this by name. A failed build fails the run in CI; at the desk tests that need no build still run. */
export async function setup(): Promise<void> {
  if (process.env['PATCHBAY_BUILT'] === '1') return;
  try {
    await ensureBuilt();
  } catch (error) {
    if (process.env['CI'] === 'true') throw error;
    process.stderr.write(`The build failed, tests that start a built program will fail: ${String(error)}\n`);
  }
}
