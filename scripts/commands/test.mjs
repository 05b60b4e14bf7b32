// npm test: makes the machine ready, then runs everything and ends with one line that sums it up.
import { ensureBuilt } from '../build/up-to-date.mjs';
import { ensureElectron } from '../electron/runtime.mjs';
import { isStrict } from '../setup/machine.mjs';
import { ensureModules } from '../setup/modules.mjs';
import { say } from '../setup/say.mjs';
import { packagesLine, readyMachine } from '../test/machine-ready.mjs';
import { unreachableTests } from '../test/needs.mjs';
import { summarise } from '../test/report.mjs';
import { runVitest } from '../test/vitest.mjs';

/** Runs all checks and tests; arguments go to vitest. */
export async function command(args) {
  const missing = await readyMachine();
  await ensureModules();
  await ensureElectron();
  const parts = [await checked(), await built()];
  const left = unreachableTests(missing.map(({ name }) => name));
  if (parts[1].failed === 0) {
    const leave = left.map(({ file }) => file);
    parts.push(await runVitest('unit', { args, leave }), await runVitest('e2e', { args, leave }));
  }
  return report(parts, left, missing);
}

async function checked() {
  const { runChecks } = await import('../check/all.mjs');
  const failed = await runChecks();
  return { passed: 0, failed: failed.length, skipped: [] };
}

async function built() {
  try {
    await ensureBuilt();
    return { passed: 0, failed: 0, skipped: [] };
  } catch (error) {
    say(`the build failed, so nothing is tested: ${error.message}`);
    return { passed: 0, failed: 1, skipped: [] };
  }
}

/** Says what was left out and why. @returns the exit code */
function report(parts, left, missing) {
  const installLine = missing.length > 0 ? packagesLine(missing) : undefined;
  const { lines, summary, failed } = summarise({ parts, left, installLine, strict: isStrict });
  for (const line of lines) say(line);
  process.stdout.write(`${summary}\n`);
  return failed === 0 ? 0 : 1;
}
