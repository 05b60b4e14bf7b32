// Runs one project of the tests on a machine that is taken as it is.
import { ensureBuilt } from '../build/up-to-date.mjs';
import { ensureElectron } from '../electron/runtime.mjs';
import { ensureModules } from '../setup/modules.mjs';
import { summarise } from './report.mjs';
import { runVitest } from './vitest.mjs';

/** @returns the exit code */
export async function testProject(project, args) {
  await ensureModules();
  if (project === 'e2e') await ensureElectron();
  await ensureBuilt();
  const { summary, failed } = summarise({ parts: [await runVitest(project, { args })], left: [], strict: false });
  process.stdout.write(`${summary}\n`);
  return failed === 0 ? 0 : 1;
}
