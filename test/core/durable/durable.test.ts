// Durable commands against a real server: they outlive the connection and the app, and bring every byte and their code.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Command, RunRequest, Session } from '../../../src-main/core/sessions/port.ts';
import { assistant, outputOf, runToEnd, startCore } from '../../support/core.ts';
import type { TestCore } from '../../support/core.ts';
import { startRelay } from '../../support/net.ts';
import type { Relay } from '../../support/net.ts';
import { waitFor } from '../../support/processes.ts';
import { startSshd } from '../../support/sshd.ts';
import type { TestSshd } from '../../support/sshd.ts';

let server: TestSshd;
const homes: TestCore[] = [];
let relay: Relay | undefined;

beforeAll(async () => {
  server = await startSshd({ accounts: [{ name: 'first' }, { name: 'second' }] });
});
afterAll(() => server.stop());
afterEach(async () => {
  for (const home of homes.splice(0)) await home.close();
  await relay?.close();
  relay = undefined;
});

async function start(options: Parameters<typeof startCore>[0] = {}): Promise<TestCore> {
  const home = await startCore(options);
  homes.push(home);
  return home;
}

const run = (session: Session, command: string, more: Partial<RunRequest> = {}): Command =>
  session.run({ command, timeoutMs: 600_000, durable: true, ...more }, assistant);

/** A second start of the app on the records of a first, which follows nothing any more. */
async function startAfter(first: TestCore): Promise<TestCore> {
  await first.core.close('test');
  return start({
    prepare: (dataDir) => {
      fs.cpSync(path.join(first.dataDir, 'durable'), path.join(dataDir, 'durable'), { recursive: true });
      fs.copyFileSync(path.join(first.dataDir, 'known_hosts'), path.join(dataDir, 'known_hosts'));
    },
  });
}

const hashOf = async (command: Command, name: 'stdout' | 'stderr'): Promise<string> => {
  const stream = command.stream(name);
  const hash = createHash('sha256');
  for (let at = 0; at < stream.length;) {
    const bytes = await stream.read(at, 1024 * 1024);
    hash.update(bytes);
    at += bytes.length;
  }
  return hash.digest('hex');
};

/** Folders of durable commands that are left on the host. */
const leftovers = async (session: Session): Promise<string> =>
  (await runToEnd(session, 'ls -d ~/.cache/patchbay-* ~/patchbay-* 2>/dev/null')).stdout;

describe('a durable command', () => {
  it('runs where the session is, with both streams apart, its own code, its stdin, and leaves nothing behind', async () => {
    const session = await (await start()).connect('web-1', server);
    await runToEnd(session, 'cd /usr; export FRUIT="a  pp\'le"; hidden=1');
    const command = run(session, 'pwd; echo "$FRUIT,$hidden"; cat; echo bad >&2; (exit 7)', {
      stdin: Buffer.from('in\0put'),
    });
    await command.ended;
    expect(command.view()).toMatchObject({ status: 'exited', exitCode: 7, signal: null });
    expect(await outputOf(command)).toEqual({ stdout: "/usr\na  pp'le,\nin\0put", stderr: 'bad\n' });
    expect(session.command(command.id)).toBe(command);
    expect(await leftovers(session)).toBe('');
    expect((await runToEnd(session, 'pwd')).stdout).toBe('/usr\n');
  });

  it.each([
    { text: 'echo "open', code: 2, stderr: /unexpected EOF|Unterminated/ },
    { text: 'no-such-program', code: 127, stderr: /^(bash|sh): line 1: no-such-program: command not found\n$/ },
    { text: 'kill -9 $$', code: 137, stderr: /^$/ },
    { text: "cat <<'E'\n$x `y`\nE\n", code: 0, stderr: /^$/ },
    { text: 'printf "%s" "$#$1"; exit 3', code: 3, stderr: /^$/ },
  ])('ends as it would in the shell: $text', async ({ text, code, stderr }) => {
    const session = await (await start()).connect('web-1', server);
    const command = run(session, text);
    await command.ended;
    expect(command.view()).toMatchObject({ status: 'exited', exitCode: code });
    expect((await outputOf(command)).stderr).toMatch(stderr);
    if (code === 0) expect((await outputOf(command)).stdout).toBe('$x `y`\n');
    if (code === 3) expect((await outputOf(command)).stdout).toBe('0');
  });

  it('keeps the lane free and is listed, and its live output goes on behind other commands', async () => {
    const session = await (await start()).connect('web-1', server);
    const command = run(
      session,
      'echo one; read -r x <~/go || while ! read -r x <~/go; do sleep 0.1; done 2>/dev/null; echo two',
    );
    await waitFor('the first line', () => command.stream('stdout').length === 4);
    expect(session.view()).toMatchObject({ busy: false, running: { commandId: command.id, status: 'running' } });
    expect((await runToEnd(session, 'echo between')).stdout).toBe('between\n');
    await runToEnd(session, 'echo now >~/go');
    await command.ended;
    expect((await outputOf(command)).stdout).toBe('one\ntwo\n');
    const shown = (await session.transcript.read(0, 1_000_000)).toString();
    expect(shown.indexOf('one')).toBeLessThan(shown.indexOf('between'));
    expect(shown.lastIndexOf('two')).toBeGreaterThan(shown.indexOf('goes on: '));
    expect(session.commands().map(({ id }) => id)).toContain(command.id);
  });

  it('survives a cut connection: not a byte is lost or doubled, and the code arrives', async () => {
    const home = await start();
    relay = await startRelay(server.port);
    const session = await home.connect('web-1', server, { port: relay.port });
    const make =
      'i=0; while [ $i -lt 40 ]; do head -c 100000 /dev/urandom | tee -a ~/all; head -c 30000 /dev/urandom | tee -a ~/all2 >&2; i=$((i+1)); sleep 0.1; done; exit 9';
    const command = run(session, `rm -f ~/all ~/all2; ${make}`);
    for (let cut = 0; cut < 2; cut += 1) {
      const before = command.stream('stdout').length;
      await waitFor('more output', () => command.stream('stdout').length > before + 300_000, 30_000);
      relay.reset();
      await waitFor('the loss', () => session.view().status === 'reconnecting');
      expect(command.view().status).toBe('running');
      await waitFor('the reconnect', () => session.view().status === 'connected', 30_000);
    }
    await command.ended;
    expect(command.view()).toMatchObject({
      status: 'exited',
      exitCode: 9,
      stdoutBytes: 4_000_000,
      stderrBytes: 1_200_000,
    });
    expect(command.notices.join(' ')).toContain('it goes on');
    const sums = (await runToEnd(session, 'sha256sum ~/all ~/all2 | cut -d" " -f1')).stdout.trim().split('\n');
    expect([await hashOf(command, 'stdout'), await hashOf(command, 'stderr')]).toEqual(sums);
    expect(await leftovers(session)).toBe('');
  });

  it('is stopped with all that it has started, by a cancel and by its time limit', async () => {
    const session = await (await start()).connect('web-1', server);
    const stopped = run(session, 'sleep 4321 & trap "" INT; while :; do sleep 4322; done');
    await waitFor('it to run', () => stopped.view().status === 'running' && session.view().running !== null);
    await waitFor(
      'its processes',
      async () => (await runToEnd(session, 'pgrep -f "sleep 432[12]" | wc -l')).stdout.trim() === '2',
    );
    await stopped.cancel('cancelled');
    expect(stopped.view()).toMatchObject({ status: 'cancelled' });
    const late = run(session, 'echo begun; sleep 4323', { timeoutMs: 1500 });
    await late.ended;
    expect(late.view()).toMatchObject({ status: 'timed_out', stdoutBytes: 6 });
    expect((await runToEnd(session, 'pgrep -f "sleep 432[123]" | wc -l')).stdout.trim()).toBe('0');
    expect(await leftovers(session)).toBe('');
  });

  it('that cannot be started says why, and never half runs', async () => {
    const session = await (await start()).connect('web-1', server);
    const nowhere = run(session, 'touch ~/ran', { workingDir: '/no/such' });
    await nowhere.ended;
    expect(nowhere.fault).toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringContaining('/no/such') as unknown,
    });
    expect((await runToEnd(session, 'ls -A ~')).stdout.split('\n')).not.toContain('ran');
    expect(await leftovers(session)).toBe('');
  });

  it('is gone when the host says so: lost, with what it had printed', async () => {
    const session = await (await start()).connect('web-1', server);
    const command = run(session, 'echo before; sleep 4324');
    await waitFor('output', () => command.stream('stdout').length > 0);
    await runToEnd(session, 'kill -9 $(cat ~/.cache/patchbay-*/pid); pkill -9 -f "sleep 4324"');
    await command.ended;
    expect(command.view()).toMatchObject({ status: 'lost', exitCode: null, stdoutBytes: 7 });
    expect(await leftovers(session)).toBe('');
  });
});

describe('after the app was killed', () => {
  it('the session waits, comes back by its key by itself, and the command brings all its output and its code', async () => {
    const first = await start();
    relay = await startRelay(server.port);
    const session = await first.connect('web-1', server, { port: relay.port });
    const command = run(session, 'echo one; while [ ! -e ~/on ]; do sleep 0.1; done; echo two; exit 4');
    await waitFor('output', () => command.stream('stdout').length === 4);
    relay.refuse();
    const second = await startAfter(first);
    const waiting = second.core.sessions.get('web-1');
    expect(waiting.view()).toMatchObject({
      status: 'needs_connect',
      running: { commandId: command.id, status: 'running' },
    });
    expect(() => run(waiting, 'true')).toThrow(expect.objectContaining({ code: 'SESSION_LOST' }) as Error);
    relay.accept();
    const back = (): Session => second.core.sessions.get('web-1');
    await waitFor('the session', () => back().view().status === 'connected', 40_000);
    const again = back().command(command.id);
    await waitFor('the first line', () => again.stream('stdout').length === 4);
    await runToEnd(back(), 'touch ~/on');
    await again.ended;
    expect(again.view()).toMatchObject({ status: 'exited', exitCode: 4 });
    expect((await outputOf(again)).stdout).toBe('one\ntwo\n');
    expect(fs.readdirSync(path.join(second.dataDir, 'durable'))).toEqual([]);
    const events = (await second.journal()).filter(({ type }) => type === 'command.ended');
    expect(events).toMatchObject([expect.anything(), { commandId: command.id, status: 'exited', exitCode: 4 }]);
    await runToEnd(back(), 'rm ~/on');
  });

  it('with a password it waits for ssh_connect; another user, host or key is refused and nothing is lost', async () => {
    const first = await start();
    const login = (who: 'first' | 'second') => {
      const account = server.accounts.find(({ name }) => name === who);
      return { username: account?.name ?? '', password: account?.password ?? '' };
    };
    const session = await first.connect('web-1', server, { credentials: login('first') });
    const command = run(session, 'echo kept; while [ ! -e ~/on ]; do sleep 0.1; done; exit 5');
    await waitFor('output', () => command.stream('stdout').length === 5);
    const record = fs.readFileSync(path.join(first.dataDir, 'durable', `${command.id}.json`), 'utf8');
    expect(record).not.toContain(login('first').password);
    const second = await startAfter(first);
    expect(second.core.sessions.get('web-1').view()).toMatchObject({ status: 'needs_connect', retryAt: null });
    const other = second.connect('web-1', server, { credentials: login('second') });
    await expect(other).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringContaining('first@') as unknown,
    });
    const elsewhere = await startSshd();
    await expect(second.connect('web-1', elsewhere, { credentials: login('first') })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
    });
    await elsewhere.stop();
    expect(second.core.sessions.get('web-1').view().status).toBe('needs_connect');
    const again = await second.connect('web-1', server, { credentials: login('first') });
    await runToEnd(again, 'touch ~/on');
    const found = again.command(command.id);
    await found.ended;
    expect(found.view()).toMatchObject({ status: 'exited', exitCode: 5, stdoutBytes: 5 });
    await runToEnd(again, 'rm ~/on');
  });

  it('a disconnect of a waiting session gives the command up and says that it may still run', async () => {
    const first = await start();
    const account = server.account;
    const credentials = { username: account.name, password: account.password };
    const session = await first.connect('web-1', server, { credentials });
    const command = run(session, 'echo a; sleep 4325');
    await waitFor('output', () => command.stream('stdout').length > 0);
    const second = await startAfter(first);
    const [ended] = await second.core.sessions.disconnect('web-1', assistant, 'enough');
    expect(ended).toMatchObject({ commandId: command.id, status: 'lost' });
    expect(fs.readdirSync(path.join(second.dataDir, 'durable'))).toEqual([]);
  });
});

it('closing the core leaves durable commands running and on record; closing the session ends them', async () => {
  const home = await start();
  const session = await home.connect('web-1', server);
  const ended = run(session, 'echo a; sleep 4326');
  await waitFor('output', () => ended.stream('stdout').length > 0);
  await home.core.sessions.disconnect('web-1', assistant, 'enough');
  expect(ended.view().status).toBe('cancelled');
  const again = await home.connect('web-1', server);
  const kept = run(again, 'echo b; sleep 4327');
  await waitFor('output', () => kept.stream('stdout').length > 0);
  const second = await startAfter(home);
  expect(fs.readdirSync(path.join(home.dataDir, 'durable'))).toEqual([`${kept.id}.json`]);
  await waitFor('the session', () => second.core.sessions.get('web-1').view().status === 'connected', 40_000);
  const found = second.core.sessions.get('web-1').command(kept.id);
  await found.cancel('cancelled');
  expect(found.view()).toMatchObject({ status: 'cancelled', stdoutBytes: 2 });
});
