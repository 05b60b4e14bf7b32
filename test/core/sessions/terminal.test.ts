// The terminal of a session on a real sshd, and sessions with hosts that have no POSIX shell.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Session, TerminalRequest } from '../../../src-main/core/sessions/port.ts';
import { compileWaitFor } from '../../../src-main/core/terminal/wait-for.ts';
import type { TestCore } from '../../support/core.ts';
import { assistant, runToEnd, startCore } from '../../support/core.ts';
import type { DeviceOptions, NetworkDevice } from '../../support/network-device.ts';
import { DEVICE_CONFIG, startNetworkDevice } from '../../support/network-device.ts';
import { waitFor } from '../../support/processes.ts';
import type { TestSshd } from '../../support/sshd.ts';
import { startSshd } from '../../support/sshd.ts';

let server: TestSshd;
let home: TestCore;
let device: NetworkDevice | undefined;
beforeAll(async () => {
  server = await startSshd({ accounts: [{ name: 'tester' }, { name: 'nologin', shell: '/usr/sbin/nologin' }] });
});
afterAll(() => server.stop());
afterEach(async () => {
  await home.close();
  await device?.close();
  device = undefined;
});

function request(extra: Partial<TerminalRequest> = {}): TerminalRequest {
  return { input: '', keys: [], waitFor: null, waitMs: 10_000, signal: new AbortController().signal, ...extra };
}

async function connectDevice(options?: DeviceOptions): Promise<Session> {
  device = await startNetworkDevice(options);
  const { host, port, username, password } = device;
  home = await startCore();
  return home.core.sessions.connect(
    { name: 'switch', host, port, credentials: { username, password } },
    assistant,
    new AbortController().signal,
  );
}

describe('the terminal of a host', () => {
  it('runs a program that needs a TTY, and tells what is new and what the screen shows', async () => {
    home = await startCore();
    const session = await home.connect('web-1', server);
    const tty = await session.terminal.converse(
      request({ input: 'tty; echo "$TERM"; stty size\n', waitFor: compileWaitFor('^30 120$') }),
    );
    expect(tty).toMatchObject({ matched: true, ended: false });
    expect(tty.output).toMatch(/\/dev\/pts\/\d+\nxterm-256color\n30 120/);
    const asked = await session.terminal.converse(
      request({ input: 'read -p "Name? " name; echo "Hello $name"\n', waitFor: compileWaitFor('Name\\? $') }),
    );
    expect(asked.matched).toBe(true);
    const told = await session.terminal.converse(
      request({ input: 'Ada', keys: ['enter'], waitFor: compileWaitFor('^Hello Ada$') }),
    );
    expect(told.matched).toBe(true);
    expect(told.screen).toContain('Hello Ada');
    expect(session.view().terminalOpen).toBe(true);
    const gone = await session.terminal.converse(request({ input: 'exit\n', waitFor: compileWaitFor('never') }));
    expect(gone.ended).toBe(true);
    expect(session.view().terminalOpen).toBe(false);
  });

  it('tells the program its new size, and everybody else too', async () => {
    home = await startCore();
    const session = await home.connect('web-1', server);
    const told: unknown[] = [];
    home.core.events.on('terminal.resized', (size) => told.push(size));
    await session.terminal.ensureOpen({ cols: 80, rows: 24 });
    session.terminal.resize(100, 40);
    const answer = await session.terminal.converse(
      request({ input: 'stty size\n', waitFor: compileWaitFor('^40 100$') }),
    );
    expect(answer.matched).toBe(true);
    expect(told.at(-1)).toEqual({ session: 'web-1', cols: 100, rows: 40 });
  });

  it('survives a flood: only the end is kept, Ctrl+C acts, and other sessions go on meanwhile', async () => {
    home = await startCore();
    const session = await home.connect('web-1', server);
    const other = await home.connect('web-2', server);
    const { terminal } = session;
    await terminal.converse(request({ waitFor: compileWaitFor('\\$ $') }));
    await terminal.type(Buffer.from(`yes ${'x'.repeat(110)}\r`));
    await waitFor('more than is kept', () => terminal.stream.length > 10 * 1024 * 1024, 60_000);
    expect((await runToEnd(other, 'echo fine')).stdout).toBe('fine\n');
    // The shell may throw away what is typed before its prompt is back.
    const prompt = compileWaitFor('\\^C[^]*\\$ $');
    const stopped = await terminal.converse(request({ keys: ['ctrl-c'], waitFor: prompt, waitMs: 60_000 }));
    expect(stopped).toMatchObject({ matched: true });
    const quiet = await terminal.converse(
      request({ input: 'echo still-$((40+2))\n', waitFor: compileWaitFor('^still-42$'), waitMs: 60_000 }),
    );
    expect(quiet.matched).toBe(true);
    const { start = 0, length } = terminal.stream;
    expect(start).toBeGreaterThan(0);
    expect(length - start).toBeLessThan(9 * 1024 * 1024);
    expect((await terminal.snapshot()).bytes.toString()).toContain('still-42');
  }, 90_000);

  it('FC49 gets one answer to a query however many look on', async () => {
    home = await startCore();
    const session = await home.connect('web-1', server);
    // The shell reads what is typed into it: the answer to the query, and nothing more.
    const input = `printf '\\033[6n'; IFS= read -rs -d R -t 5 answer; IFS= read -rs -N 1 -t 1 more; printf '%q|%q.\\n' "$answer" "$more"\n`;
    const talk = session.terminal.converse(request({ input, waitFor: compileWaitFor('\\|.*\\.$') }));
    await waitFor('output', () => session.terminal.stream.length > 0);
    for (let view = 0; view < 5; view += 1) await session.terminal.snapshot();
    expect((await talk).output).toMatch(/\$'\\E\[\d+;1'\|''\.$/m);
  });
});

describe('a host that gives a connection one channel', () => {
  it('FC38 runs commands and has a terminal, for which a second connection is made and ended', async () => {
    const narrow = await startSshd({ config: ['MaxSessions 1'] });
    try {
      home = await startCore();
      const session = await home.connect('web-1', narrow);
      for (const n of [1, 2, 3]) expect((await runToEnd(session, `echo ${n}`)).stdout).toBe(`${n}\n`);
      const input = 'echo "$SSH_CONNECTION"\n';
      const talk = () =>
        session.terminal.converse(request({ input, waitFor: compileWaitFor('^127\\.0\\.0\\.1 \\d+ 127') }));
      expect((await talk()).matched).toBe(true);
      expect((await runToEnd(session, 'echo still')).stdout).toBe('still\n');
      await session.terminal.converse(request({ input: 'exit\n', waitFor: compileWaitFor('never') }));
      await waitFor('the second connection to end', () => /Disconnected from|Connection closed/.test(narrow.log()));
      expect(session.view().status).toBe('connected');
    } finally {
      await home.core.sessions.disconnect('web-1', assistant, 'end');
      await narrow.stop();
    }
  });
});

describe('a host without a POSIX shell', () => {
  it('FC39 a network device is read page by page through the terminal; nothing POSIX is typed into it', async () => {
    const session = await connectDevice();
    expect(session.view()).toMatchObject({ kind: 'device', shell: null, workingDir: null, status: 'connected' });
    expect(() => session.run({ command: 'show version', timeoutMs: 1000 }, assistant)).toThrow('no POSIX shell');
    expect(() => session.command('c-aaaaaaaaaaaa')).toThrow('No command of this session');
    const talk = (extra: Partial<TerminalRequest>) => session.terminal.converse(request(extra));
    const version = await talk({ input: 'show version\n', waitFor: compileWaitFor('switch> $') });
    expect(version.output).toContain('Authorised use only');
    expect(version.output).toContain('SwitchOS version 1.0\nswitch> ');
    await talk({ input: 'enable\n', waitFor: compileWaitFor('switch# $') });
    let page = await talk({ input: 'show configuration\n', waitFor: compileWaitFor('--More--$|switch# $') });
    let text = page.output;
    while (page.output.endsWith('--More--')) {
      page = await talk({ keys: ['space'], waitFor: compileWaitFor('--More--$|switch# $') });
      text = text.slice(0, text.lastIndexOf('--More--')) + page.output.replace(/^\s*/, '');
    }
    const lines = text.split('\n').map((line) => line.trim());
    for (const line of DEVICE_CONFIG) expect(lines).toContain(line.trim());
    expect(device?.typed()).toBe('show version\renable\rshow configuration\r  ');
  });

  it('FC39 a device whose one session is used up by the refused exec request is logged into anew', async () => {
    const session = await connectDevice({ keepsRefused: true });
    expect(session.view().kind).toBe('device');
    expect((await session.terminal.converse(request({ waitFor: compileWaitFor('switch> $') }))).matched).toBe(true);
    expect(device?.connections()).toBe(2);
    expect(session.view()).toMatchObject({ status: 'connected', reconnects: 0 });
  });

  it('is not logged into again and again when it logs its user out', async () => {
    const session = await connectDevice();
    const answer = await session.terminal.converse(request({ input: 'exit\n', waitFor: compileWaitFor('never') }));
    expect(answer.ended).toBe(true);
    await waitFor('the end', () => session.view().status === 'lost');
    expect(session.view().statusReason).toBe('ended by the host (log-out or idle time-out)');
    await expect(session.terminal.converse(request())).rejects.toMatchObject({ code: 'SESSION_LOST' });
  });

  it('a Windows host is not sent anything POSIX, and its terminal works', async () => {
    const session = await connectDevice({ ident: 'OpenSSH_for_Windows_9.5' });
    expect(session.view().kind).toBe('device');
    expect(device?.execRequests).toEqual([]);
    expect((await session.terminal.converse(request({ waitFor: compileWaitFor('switch> $') }))).matched).toBe(true);
    expect(device?.connections()).toBe(1);
  });

  it('an account that may not log in opens as a session that says so, and does not hang', async () => {
    home = await startCore();
    const account = server.accountOf('nologin');
    const session = await home.connect('web-1', server, {
      credentials: { username: account.name, keyFile: account.keyFile },
    });
    expect(session.view().kind).toBe('device');
    const answer = await session.terminal.converse(request({ waitFor: compileWaitFor('not available') }));
    expect(answer.output).toContain('not available');
  });
});
