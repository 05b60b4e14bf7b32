// A stop ends the whole text of a command: nothing of it runs after the function, file or loop it was in.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CLIENT, finished, driverHosts, makeShellFolder, runIn, startLane } from '../../support/lane.ts';
import type { TestLane } from '../../support/lane.ts';
import { createLocalAccount } from '../../support/local-shell.ts';
import { waitFor } from '../../support/processes.ts';

const { folder } = makeShellFolder();
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const HOSTS = driverHosts(folder);

const rest = path.join(folder, 'rest');
const file = path.join(folder, 'sourced');
fs.writeFileSync(file, `sleep 7711; echo x >>${rest}\n`);

describe.each(HOSTS)('driver for $name', ({ account }) => {
  let test: TestLane;
  let end: () => void;
  beforeEach(async () => {
    const made = createLocalAccount(account);
    end = made.end;
    test = await startLane(made.open);
  });
  afterEach(async () => {
    await test.close();
    end();
    fs.rmSync(rest, { force: true });
  });

  const after = `echo x >>${rest}`;
  it.each([
    `f() { sleep 7711; ${after}; }; echo begun; f; ${after}`,
    `f() { sleep 7711; ${after}; }; g() { f; ${after}; }; echo begun; g; ${after}; for i in 1 2; do ${after}; done`,
    `f() { while :; do sleep 7711; ${after}; done; }; echo begun; while f; do ${after}; done; ${after}`,
    `f() { sleep 7711; }; echo begun; if f; then ${after}; else ${after}; fi; f && ${after} || ${after}`,
    `echo begun; . ${file}; ${after}`,
    `f() { echo begun; while :; do :; done; ${after}; }; f; ${after}`,
    `f() { (sleep 7711; ${after}); x=$(sleep 7711; ${after}); ${after}; }; echo begun; f | cat; ${after}`,
  ])('leaves the whole of: %s', async (command) => {
    await runIn(test.lane, 'cd /usr; kept=1; before() { echo before; }');
    const run = test.lane.run({ command, timeoutMs: 60_000 }, CLIENT);
    await waitFor('its start', () => run.view().stdoutBytes > 0);
    await run.cancel('cancelled');
    const ran = await finished(run);
    expect(ran).toMatchObject({ status: 'cancelled', stdout: 'begun\n', shellRestarted: false });
    expect(ran.exitCode).toBeGreaterThan(128);
    expect(fs.existsSync(rest)).toBe(false);
    const next = await runIn(
      test.lane,
      'echo "$kept"; pwd; before; f2() { echo f2; }; f2; for i in 1 2; do echo $i; done',
    );
    expect(next).toMatchObject({ stdout: '1\n/usr\nbefore\nf2\n1\n2\n', stderr: '', shellRestarted: false });
  });

  it('finds what has left the process tree', async () => {
    const lone = `(sleep 7712 & echo $! >${folder}/pid) & wait; echo begun; sleep 7711`;
    const run = test.lane.run({ command: lone, timeoutMs: 60_000 }, CLIENT);
    await waitFor('its start', () => run.view().stdoutBytes > 0);
    const pid = fs.readFileSync(path.join(folder, 'pid'), 'utf8').trim();
    expect(fs.existsSync(`/proc/${pid}`)).toBe(true);
    await run.cancel('cancelled');
    expect((await finished(run)).status).toBe('cancelled');
    await waitFor('the end of it', () => !fs.existsSync(`/proc/${pid}`));
  });
});
