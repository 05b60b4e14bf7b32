// Tests how a test run is counted and what it leaves out on a machine that lacks something.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unreachableTests } from '../../scripts/test/needs.mjs';
import { summarise } from '../../scripts/test/report.mjs';
import { countResults } from '../../scripts/test/vitest.mjs';

const inTests = (name: string) => path.join(import.meta.dirname, name);

describe('countResults', () => {
  let report = '';
  beforeEach(() => {
    report = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'patchbay-counts-')), 'report.json');
  });
  afterEach(() => fs.rmSync(path.dirname(report), { recursive: true }));

  const write = (files: { status: string; tests: string[] }[]) => {
    const testResults = files.map(({ status, tests }) => ({
      status,
      assertionResults: tests.map((one, i) => ({ status: one, fullName: `test ${i}` })),
    }));
    fs.writeFileSync(report, JSON.stringify({ testResults }));
  };

  it('counts tests, and a file that failed before any of its tests', () => {
    write([
      { status: 'passed', tests: ['passed', 'passed', 'skipped'] },
      { status: 'failed', tests: ['passed', 'failed'] },
      { status: 'failed', tests: [] },
    ]);
    expect(countResults(report, 1)).toEqual({ passed: 3, failed: 2, skipped: ['test 2'] });
  });

  it('counts a run that broke off, or failed outside its tests, as a failure', () => {
    expect(countResults(report, 1)).toEqual({ passed: 0, failed: 1, skipped: [] });
    write([{ status: 'passed', tests: ['passed'] }]);
    expect(countResults(report, 1)).toEqual({ passed: 1, failed: 1, skipped: [] });
  });
});

describe('unreachableTests', () => {
  it('finds a test by what the helper that it imports needs', () => {
    expect(unreachableTests(['a-missing-package', 'another'], inTests('samples/needs'))).toEqual([
      { file: 'test/tools/samples/needs/far.test.ts', needs: ['a-missing-package'] },
    ]);
  });
});

describe('summarise', () => {
  const run = {
    parts: [
      { passed: 3, failed: 1, skipped: [] },
      { passed: 2, failed: 0, skipped: ['a test'] },
    ],
    left: [{ file: 'test/core/x.test.ts', needs: ['fish'] }],
    installLine: 'apt-get install fish',
  };

  it('names what was left out, why, and how to run it', () => {
    const { lines, summary, failed } = summarise({ ...run, strict: false });
    expect(lines).toEqual([
      'skipped: a test',
      'skipped: test/core/x.test.ts: fish is not installed',
      'to run what was skipped: apt-get install fish',
    ]);
    expect([summary, failed]).toEqual(['5 passed, 1 failed, 2 skipped', 1]);
  });

  it('counts what was left out as failed where nothing may be skipped', () => {
    const { summary, failed } = summarise({ ...run, strict: true });
    expect([summary, failed]).toEqual(['5 passed, 3 failed', 3]);
  });
});
