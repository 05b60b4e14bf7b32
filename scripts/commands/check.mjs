// npm run check: format, lint, types, import graph, generated files.
import { ensureModules } from '../setup/modules.mjs';

/** Runs all checks, or those named. */
export async function command(args) {
  await ensureModules();
  const { runChecks } = await import('../check/all.mjs');
  const failed = await runChecks(args);
  return failed.length === 0 ? 0 : 1;
}
