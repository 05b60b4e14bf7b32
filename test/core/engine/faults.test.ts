// Faults of the link and the server, each with its outcome: lost at once, or nothing noticed at all.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestCore } from '../../support/core.ts';
import { assistant, outputOf, runToEnd, startCore } from '../../support/core.ts';
import { makeProbe } from '../../support/netns.ts';
import { waitFor } from '../../support/processes.ts';
import { startSshd } from '../../support/sshd.ts';
import type { TestSshd } from '../../support/sshd.ts';

let server: TestSshd;
let home: TestCore;
beforeAll(async () => {
  server = await startSshd();
  home = await startCore({ settings: { MAX_SESSIONS: 20 } });
});
afterAll(async () => {
  await home.close();
  await server.stop();
});

/** Prints a line of ten bytes every 50 ms, 40 times, and ends with 3. */
const STEADY = 'i=100; while [ $i -lt 140 ]; do echo "line-$i.."; i=$((i+1)); sleep 0.05; done; (exit 3)';
const STEADY_OUTPUT = Array.from({ length: 40 }, (_, index) => `line-${index + 100}..\n`).join('');

describe.concurrent('a fault', () => {
  it('the server process is killed in mid-output: lost within two seconds, with all bytes so far', async () => {
    const own = await startSshd();
    const session = await home.connect('killed', own);
    const command = session.run({ command: 'yes line | head -c 3000000; sleep 60', timeoutMs: 120_000 }, assistant);
    await waitFor('the output', () => command.stream('stdout').length === 3_000_000);
    const at = Date.now();
    await own.killConnections();
    await command.ended;
    expect(Date.now() - at).toBeLessThan(2000);
    expect(command.view()).toMatchObject({ status: 'lost', exitCode: null, stdoutBytes: 3_000_000 });
    expect((await outputOf(command)).stdout).toBe('line\n'.repeat(600_000));
    await home.core.sessions.disconnect('killed', assistant, 'done');
    await own.stop();
  });

  it('the server process is stopped for 40 s: the same command finishes, exact', { timeout: 120_000 }, async () => {
    const session = await home.connect('stopped', server);
    const { stdout } = await runToEnd(session, 'p=$PPID; ps -o ppid= -p $p; ps -o ppid= -p $(ps -o ppid= -p $p)');
    const pids = stdout
      .split('\n')
      .map(Number)
      .filter((pid) => pid > 1 && nameOf(pid).includes('sshd') && pid !== server.pid);
    expect(pids.length).toBeGreaterThan(0);
    const command = session.run({ command: STEADY, timeoutMs: 120_000 }, assistant);
    await waitFor('some output', () => command.stream('stdout').length > 100);
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    const stoppedAt = Date.now();
    await waitFor('40 seconds to pass', () => Date.now() - stoppedAt > 40_000, 60_000);
    expect(command.view().status).toBe('running');
    for (const pid of pids) process.kill(pid, 'SIGCONT');
    await command.ended;
    expect(command.view()).toMatchObject({ status: 'exited', exitCode: 3 });
    expect((await outputOf(command)).stdout).toBe(STEADY_OUTPUT);
    expect(session.view().reconnects).toBe(0);
  });

  it('all packets are dropped for 30 s: the same command finishes, exact', { timeout: 120_000 }, async () => {
    const probe = await makeProbe(fileURLToPath(new URL('../../support/drop-probe.ts', import.meta.url)));
    const { stdout, stderr } = await probe.inNetwork([JSON.stringify({ command: STEADY, dropMs: 30_000 })]);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      status: 'exited',
      exitCode: 3,
      stdout: STEADY_OUTPUT,
      reconnects: 0,
      notices: [],
    });
    probe.close();
  });

  it('the server is restarted: reconnected, state restored, nothing run twice', { timeout: 90_000 }, async () => {
    const own = await startSshd();
    const session = await home.connect('restarted', own);
    await runToEnd(session, 'cd /usr; export FRUIT=apple');
    const cut = session.run({ command: 'echo ran >>~/ran; sleep 60', timeoutMs: 120_000 }, assistant);
    await waitFor('it to run', () => cut.view().status === 'running');
    await own.restart();
    await cut.ended;
    expect(cut.view().status).toBe('lost');
    const after = await runToEnd(session, 'pwd; echo "$FRUIT"; cat ~/ran 2>/dev/null | wc -l');
    expect(after.stdout).toMatch(/^\/usr\napple\n[01]\n$/);
    expect(session.view().reconnects).toBe(1);
    await home.core.sessions.disconnect('restarted', assistant, 'done');
    await own.stop();
  });

  it('MaxSessions 2: commands and cancel work, and what has no channel says so', async () => {
    const own = await startSshd({ config: ['MaxSessions 2'] });
    const session = await home.connect('narrow', own);
    const command = session.run({ command: 'sleep 60', timeoutMs: 120_000 }, assistant);
    await waitFor('it to run', () => command.view().status === 'running');
    await command.cancel('cancelled');
    expect(command.view().status).toBe('cancelled');
    expect(await runToEnd(session, 'echo fine')).toMatchObject({ exitCode: 0, stdout: 'fine\n' });
    const durable = session.run({ command: 'echo apart; sleep 0.5', timeoutMs: 60_000, durable: true }, assistant);
    await durable.ended;
    expect(durable.view()).toMatchObject({ status: 'exited', exitCode: 0, stdoutBytes: 6 });
    await home.core.sessions.disconnect('narrow', assistant, 'done');
    await own.stop();
  });
});

function nameOf(pid: number): string {
  return execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' });
}
