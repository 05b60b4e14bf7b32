// Runs one project of the tests with vitest and counts its results.
import fs from 'node:fs';
import { isLinux, isOnPath } from '../setup/machine.mjs';
import { inRoot } from '../setup/paths.mjs';
import { packageProgram, run } from '../setup/run.mjs';

/**
 * @typedef {{passed: number, failed: number, skipped: string[]}} Counts
 * @param {'unit'|'e2e'} project
 * @param {{args?: readonly string[], leave?: readonly string[]}} [options] args for vitest; files to leave out
 * @returns {Promise<Counts>}
 */
export async function runVitest(project, { args = [], leave = [] } = {}) {
  const report = inRoot('test-results', `${project}.json`);
  fs.rmSync(report, { force: true });
  const vitest = [
    ...packageProgram('vitest/vitest.mjs'),
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
  ];
  const [command, ...rest] = [...screenFor(project), ...vitest, `--outputFile.json=${report}`, ...args];
  const code = await run(command, rest, {
    env: { ...process.env, PATCHBAY_BUILT: '1', PATCHBAY_LEAVE_OUT: leave.join(',') },
  });
  return countResults(report, code);
}

/** Window tests get a screen of their own, also where a person has one: windows must not jump up there. */
function screenFor(project) {
  return project === 'e2e' && isLinux && isOnPath('xvfb-run')
    ? ['xvfb-run', '-a', '-s', '-screen 0 1600x1000x24 -nolisten tcp']
    : [];
}

/** A run that broke off without a report, or failed outside a test, counts as one failure. */
export function countResults(report, code) {
  if (!fs.existsSync(report)) return { passed: 0, failed: 1, skipped: [] };
  const results = JSON.parse(fs.readFileSync(report, 'utf8'));
  const tests = results.testResults.flatMap(({ assertionResults }) => assertionResults);
  const withoutTests = results.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(isFailed),
  );
  const failed = tests.filter(isFailed).length + withoutTests.length;
  return {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: tests.filter(({ status }) => status !== 'passed' && status !== 'failed').map(({ fullName }) => fullName),
  };
}

const isFailed = ({ status }) => status === 'failed';
