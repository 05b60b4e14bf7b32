// Stopping commands over real sshd: everything they started goes, the shell and earlier background jobs stay.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ExecChannel, SshConnection } from '../../../src-main/core/ssh/port.ts';
import { CLIENT, finished, runIn, startLane } from '../../support/lane.ts';
import type { TestLane } from '../../support/lane.ts';
import { createLocalAccount } from '../../support/local-shell.ts';
import { waitFor } from '../../support/processes.ts';
import { connectTo, execText } from '../../support/ssh-connect.ts';
import type { TestSshd } from '../../support/sshd.ts';
import { startSshd } from '../../support/sshd.ts';

let server: TestSshd;
let narrow: TestSshd;
beforeAll(async () => {
  const accounts = [{ name: 'tester' }, { name: 'root' }, { name: 'dashuser', shell: '/bin/dash' }];
  server = await startSshd({ accounts, config: ['PermitRootLogin yes'] });
  narrow = await startSshd({ accounts: [{ name: 'tester' }], config: ['MaxSessions 1'] });
});
afterAll(async () => {
  await server.stop();
  await narrow.stop();
});

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(on: TestSshd, account = 'tester'): Promise<TestLane & { connection: SshConnection }> {
  const { name, keyFile } = on.accountOf(account);
  const connection = await connectTo(on, { username: name, credentials: { keyFile } });
  closers.push(() => connection.close());
  const made = await startLane((command) => connection.exec(command));
  closers.push(made.close);
  return { ...made, connection };
}

/** Starts a command and waits until `what` runs on the host. */
async function begin(test: TestLane & { connection: SshConnection }, command: string, what: string) {
  const run = test.lane.run({ command, timeoutMs: 60_000 }, CLIENT);
  await waitFor(what, async () => (await count(test.connection, what)) > 0);
  return run;
}

async function count(connection: SshConnection, what: string): Promise<number> {
  // The first character in brackets, so that pgrep's own command line does not match.
  const pattern = `[${what.slice(0, 1)}]${what.slice(1)}`;
  return Number(await execText(connection, `pgrep -c -f '${pattern}' || true`));
}

describe.each(['tester', 'root', 'dashuser'])('as %s', (account) => {
  it('FC18 cancels a plain command, one that ignores signals and a pipe within 5 s, and keeps the shell', async () => {
    const test = await start(server, account);
    await runIn(test.lane, 'cd /usr; kept=1; sleep 7790 & job=$!');
    for (const [command, what, code] of [
      ['sleep 7777', 'sleep 7777', 130],
      [`sh -c "trap '' TERM INT; sleep 7778; sleep 7776"`, 'sleep 7778', 137],
      ['sleep 7779 | cat', 'sleep 7779', 130],
    ] as const) {
      const run = await begin(test, command, what);
      const before = Date.now();
      await run.cancel('cancelled');
      expect(Date.now() - before, command).toBeLessThan(5000);
      expect(await finished(run), command).toMatchObject({
        status: 'cancelled',
        exitCode: code,
        shellRestarted: false,
      });
      expect(await count(test.connection, what), command).toBe(0);
    }
    expect((await runIn(test.lane, 'echo $kept; pwd; kill -0 $job && echo alive; kill $job')).stdout).toBe(
      '1\n/usr\nalive\n',
    );
  });

  it('leaves lists, loops without a child, functions and subshells', async () => {
    const test = await start(server, account);
    for (const command of [
      'sleep 7701; echo no',
      'sleep 7701 & wait; echo no',
      'while :; do sleep 7701; done',
      'touch=1; sleep 0.1; sleep 7701 & while :; do :; done; echo no',
      '(sleep 7701; echo no); echo no',
      'x=$(sleep 7701; echo no); echo "no $x"',
      'f() { sleep 7701; }; f',
    ]) {
      const run = await begin(test, command, 'sleep 7701');
      await run.cancel('cancelled');
      const ran = await finished(run);
      expect(ran, command).toMatchObject({ status: 'cancelled', stdout: '', shellRestarted: false });
      expect(ran.exitCode, command).toBeGreaterThan(128);
      expect(await count(test.connection, 'sleep 7701'), command).toBe(0);
    }
    expect((await runIn(test.lane, 'echo works')).stdout).toBe('works\n');
  });

  it('ends a command at its time limit as timed_out', async () => {
    const test = await start(server, account);
    const before = Date.now();
    const ran = await runIn(test.lane, 'echo begun; sleep 7702', { timeoutMs: 1000 });
    expect(Date.now() - before).toBeLessThan(2000);
    expect(ran).toMatchObject({ status: 'timed_out', exitCode: 130, stdout: 'begun\n', shellRestarted: false });
  });
});

it('starts with the signal that was asked for', async () => {
  const test = await start(server);
  const term = await begin(test, 'sleep 7703', 'sleep 7703');
  await term.cancel('cancelled', 'TERM');
  expect((await finished(term)).exitCode).toBe(143);
  const kill = await begin(test, 'sleep 7703', 'sleep 7703');
  await kill.cancel('cancelled', 'KILL');
  expect((await finished(kill)).exitCode).toBe(137);
});

it('ends the shell when nothing else helps, and restores directory and variables', async () => {
  const test = await start(server);
  await runIn(
    test.lane,
    'cd /usr; export PB_KEPT=1; mkfifo /tmp/patchbay-fifo-$$ && fifo=/tmp/patchbay-fifo-$$; echo $fifo',
  );
  // Nothing that a signal interrupts: a builtin that opens a pipe nobody writes to.
  const run = test.lane.run({ command: "trap '' INT TERM; read x <$fifo", timeoutMs: 60_000 }, CLIENT);
  await waitFor('the command', () => run.view().status === 'running');
  const before = Date.now();
  await run.cancel('cancelled');
  expect(Date.now() - before).toBeLessThan(8000);
  expect(await finished(run)).toMatchObject({ status: 'cancelled', exitCode: 137, shellRestarted: true });
  expect((await runIn(test.lane, 'echo $PB_KEPT; pwd; rm /tmp/patchbay-fifo-*')).stdout).toBe('1\n/usr\n');
});

it('stops a command on a server that gives one channel only', async () => {
  const test = await start(narrow);
  const run = test.lane.run({ command: 'echo begun; sleep 7704', timeoutMs: 60_000 }, CLIENT);
  await waitFor('the command', () => run.view().stdoutBytes > 0);
  const before = Date.now();
  await run.cancel('cancelled');
  expect(Date.now() - before).toBeLessThan(5000);
  expect(await finished(run)).toMatchObject({ status: 'cancelled', exitCode: 130 });
  expect((await runIn(test.lane, 'echo works')).stdout).toBe('works\n');
});

it.each([
  'setsid sleep 7721 & sleep 7722',
  '(setsid sh -c "sleep 7721; true" </dev/null >/dev/null 2>&1 &) ; sleep 7722',
])('stops what has left the process tree: %s', async (command) => {
  const test = await start(server);
  // An earlier command's own, which stay.
  await runIn(test.lane, 'setsid sleep 7723 >/dev/null 2>&1 & (sleep 7724 &) ');
  const run = await begin(test, command, 'sleep 7721');
  await run.cancel('cancelled');
  expect(await finished(run)).toMatchObject({ status: 'cancelled', shellRestarted: false });
  await waitFor('the end of all', async () => (await count(test.connection, 'sleep 772[12]')) === 0);
  expect(await count(test.connection, 'sleep 772[34]')).toBe(2);
  await execText(test.connection, "pkill -f 'slee[p] 772[34]'");
});

it('gives a connection up over which no signal comes through, says so, and ends the command over the next one', async () => {
  const single = await startSshd({ accounts: [{ name: 'root' }], config: ['PermitRootLogin yes', 'MaxSessions 1'] });
  closers.push(() => single.stop());
  const { name, keyFile } = single.accountOf('root');
  const connect = async (): Promise<SshConnection> => {
    const made = await connectTo(single, { username: name, credentials: { keyFile } });
    closers.push(() => made.close());
    return made;
  };
  const first = await connect();
  const onStuck = vi.fn<(reason: string) => void>(() => first.close());
  const { lane, close } = await startLane((command) => first.exec(command), { onStuck });
  closers.push(close);
  await runIn(lane, 'cd /usr; export PB_KEPT=1');
  const run = lane.run({ command: "echo $$; trap '' INT TERM; sleep 7731", timeoutMs: 60_000 }, CLIENT);
  await waitFor('its start', () => run.view().stdoutBytes > 0);
  const before = Date.now();
  await run.cancel('cancelled');
  expect(Date.now() - before).toBeLessThan(15_000);
  const ran = await finished(run);
  expect(ran).toMatchObject({ status: 'lost', exitCode: null });
  expect(ran.notices.join()).toContain('may still run on the host');
  expect(onStuck).toHaveBeenCalledTimes(1);
  const second = await connect();
  expect(await lane.reattach((command) => second.exec(command))).toBeNull();
  expect((await runIn(lane, 'echo "$PB_KEPT"; pwd; pgrep -c -f "slee[p] 7731"')).stdout).toBe('1\n/usr\n0\n');
});

it('ends a stop on a link that has gone silent within its bound, as lost, and has the connection made anew', async () => {
  const made = createLocalAccount({ shell: '/bin/bash' });
  closers.push(made.end);
  let silent = false;
  const stuck: string[] = [];
  const open = async (command: string): Promise<ExecChannel> => {
    if (silent) return new Promise(() => undefined);
    return Object.assign(await made.open(command), { close: () => undefined, signal: () => undefined });
  };
  const test = await startLane(open, { onStuck: (reason) => stuck.push(reason) });
  closers.push(test.close);
  const run = test.lane.run({ command: 'sleep 30', timeoutMs: 60_000 }, CLIENT);
  await waitFor('its start', () => run.view().status === 'running');
  silent = true;
  const before = Date.now();
  await run.cancel('cancelled');
  expect(Date.now() - before).toBeLessThan(15_000);
  expect(await finished(run)).toMatchObject({ status: 'lost', exitCode: null });
  expect(stuck).toHaveLength(1);
});

it('takes a queued command out of the queue', async () => {
  const test = await start(server);
  const first = test.lane.run({ command: 'sleep 7705', timeoutMs: 60_000 }, CLIENT);
  const second = test.lane.run({ command: 'echo second', timeoutMs: 60_000 }, CLIENT);
  const third = test.lane.run({ command: 'echo third', timeoutMs: 60_000 }, CLIENT);
  expect([second, third].map((run) => run.view().queuePosition)).toEqual([1, 2]);
  await second.cancel('cancelled');
  expect(await finished(second)).toMatchObject({ status: 'cancelled', exitCode: null, stdout: '' });
  expect(third.view().queuePosition).toBe(1);
  await first.cancel('cancelled');
  expect(await finished(third)).toMatchObject({ status: 'exited', stdout: 'third\n' });
});
