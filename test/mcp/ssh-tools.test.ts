// Checks every tool through real clients on the real core against a real OpenSSH server.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectClient } from '../support/mcp-clients.ts';
import type { CallResult, TestClient } from '../support/mcp-clients.ts';
import { startCore } from '../support/core.ts';
import type { TestCore } from '../support/core.ts';
import { startMcp } from '../support/mcp-server.ts';
import type { McpTestServer } from '../support/mcp-server.ts';
import { freePort, startWebServer } from '../support/net.ts';
import { waitFor } from '../support/processes.ts';
import { hasOwnAccounts, startSshd } from '../support/sshd.ts';
import type { TestSshd } from '../support/sshd.ts';
import { asRecord } from '../support/record.ts';

const ACCEPTED =
  /^The host key of 127\.0\.0\.1 port \d+ \(ssh-ed25519 SHA256:\S+\) was not known: it was accepted for the first time .* is stored in \/.*\/known_hosts\./;

const CLIENTS = [
  { kind: 'old', way: 'tcp' },
  { kind: 'stateless', way: 'http' },
] as const;

describe.each(CLIENTS)('the tools for a client of kind $kind over $way', ({ kind, way }) => {
  let sshd: TestSshd;
  let real: TestCore;
  let server: McpTestServer;
  let client: TestClient;

  beforeAll(async () => {
    sshd = await startSshd();
    real = await startCore({ settings: { MAX_SESSIONS: 6 } });
    server = await startMcp(real.core);
    client = await connectClient({ kind, way: server[way], token: server.token });
  });
  afterAll(async () => {
    await client.close();
    await server.close();
    await real.close();
    await sshd.stop();
  });

  const byKey = () => ({ username: sshd.account.name, keyFile: sshd.account.keyFile });
  const connect = (name: string, more: object = {}): Promise<CallResult> =>
    client.call('ssh_connect', { name, host: sshd.host, port: sshd.port, credentials: byKey(), ...more });
  const exec = (sessionName: string, command: string, more: object = {}): Promise<CallResult> =>
    client.call('ssh_exec', { sessionName, command, ...more });
  const close = (sessionName: string): Promise<CallResult> => client.call('ssh_disconnect', { sessionName });

  describe('ssh_connect', () => {
    it('opens a session by key and tells its details', async () => {
      const { structure, text } = await connect('by-key');
      expect(structure).toEqual({
        ...{ name: 'by-key', host: '127.0.0.1', port: sshd.port, username: sshd.account.name, kind: 'posix' },
        ...{ status: 'connected', fingerprint: sshd.hostKeys[0]?.fingerprint, workingDir: sshd.account.home },
        ...{
          serverVersion: expect.stringMatching(/^OpenSSH_/) as unknown,
          banner: expect.any(String) as unknown,
          notices: [expect.stringMatching(ACCEPTED) as unknown],
        },
        ...{
          shell: expect.stringMatching(/^bash/) as unknown,
          connectionTime: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
        },
        monitorUrl: 'http://127.0.0.1:8080/session/by-key#v=ticket',
      });
      for (const fact of ['by-key', 'connected', sshd.account.name, String(sshd.port), 'SHA256:', 'bash', 'ticket']) {
        expect(text).toContain(fact);
      }
      await close('by-key');
    });

    it.runIf(hasOwnAccounts)('opens a session by password, which appears nowhere', async () => {
      const { password, name: username } = sshd.account;
      const result = await connect('by-password', { credentials: { username, password } });
      expect(result.isError).toBe(false);
      expect(JSON.stringify([result, real.logged, await real.journal()])).not.toContain(password);
      await close('by-password');
    });

    it.runIf(hasOwnAccounts)('FC44 takes the forms that models send', async () => {
      const credentials = { username: sshd.account.name, password: sshd.account.password };
      const at = `${sshd.account.name}@127.0.0.1:${sshd.port}`;
      const forms: Record<string, object> = {
        'number-as-text': { port: String(sshd.port), credentials },
        blanks: { host: ' 127.0.0.1 ', credentials },
        'all-in-host': { host: at, port: null, credentials: { password: credentials.password } },
        'json-text': { credentials: JSON.stringify(credentials) },
      };
      for (const [name, more] of Object.entries(forms)) {
        const { text, isError } = await connect(name, more);
        expect(`${name}: ${isError ? text : 'connected'}`).toBe(`${name}: connected`);
        await close(name);
      }
    });

    it('FC44 takes an address in brackets', async () => {
      const { isError, text } = await connect('brackets', { host: '[127.0.0.1]' });
      expect(isError ? text : '').toBe('');
      await close('brackets');
    });

    it('FC44 refuses a port that is none, and dials nothing', async () => {
      const dialled = (): number => sshd.log().split('Connection from').length;
      const before = dialled();
      expect((await connect('bad-port', { port: '22x' })).text).toMatch(/^INVALID_PARAMS: port .*"22x"/);
      expect(dialled()).toBe(before);
    });

    it('says which way to log in is missing, unless an alias names its key', async () => {
      const without = await connect('no-way', { credentials: { username: 'x' } });
      expect(without.text).toMatch(/^INVALID_PARAMS: .*keyFile.*password.*agent/);
      expect((await connect('no-way', { credentials: null })).text).toMatch(/^INVALID_PARAMS: credentials /);
      const { HOME = '' } = process.env;
      fs.mkdirSync(path.join(HOME, '.ssh'), { recursive: true });
      const lines = ['Host short', '  HostName 127.0.0.1', `  Port ${sshd.port}`, `  User ${sshd.account.name}`];
      fs.writeFileSync(
        path.join(HOME, '.ssh/config'),
        `${[...lines, `  IdentityFile ${sshd.account.keyFile}`].join('\n')}\n`,
      );
      const hosts = await client.call('ssh_hosts');
      expect(hosts.structure).toMatchObject({
        hosts: [{ alias: 'short', host: '127.0.0.1', port: sshd.port, source: 'ssh_config' }],
      });
      expect(hosts.text).toContain('short');
      const short = await client.call('ssh_connect', { name: 'short-1', host: 'short' });
      expect(short.structure).toMatchObject({ host: '127.0.0.1', username: sshd.account.name });
      await close('short-1');
    });

    it('tells failures apart, each by its own code or reason', async () => {
      const web = await startWebServer();
      const keyFile = '/nonexistent/key';
      const wrong = { username: sshd.account.name, password: 'wrong-password-1' };
      const cases: [string, object, string][] = [
        ['AUTHENTICATION_FAILED', { credentials: wrong }, 'wrong password'],
        ['AUTHENTICATION_FAILED', { credentials: { username: 'tester', keyFile } }, 'unreadable key'],
        ['NETWORK_ERROR', { port: await freePort() }, 'closed port'],
        ['NETWORK_ERROR', { host: 'no-such-host.invalid' }, 'unresolvable'],
        ['CONNECTION_ERROR', { port: web.port }, 'not SSH'],
      ];
      const reasons: unknown[] = [];
      for (const [code, more, what] of cases) {
        const { error, text, structure } = await connect('fails', more);
        expect([what, error?.['code']]).toEqual([what, code]);
        expect(text.startsWith(`${code}: `)).toBe(true);
        expect(structure).toBeUndefined();
        reasons.push(asRecord(error?.['details'])['reason']);
        expect(text).not.toContain('wrong-password-1');
      }
      expect(new Set(reasons).size).toBe(cases.length);
      await web.close();
    });

    it('refuses a name that is taken, and one session too many', async () => {
      for (let number = 1; number <= 6; number += 1) await connect(`n-${number}`);
      expect((await connect('n-1')).text).toMatch(/^SESSION_EXISTS: .*n-1/);
      expect((await connect('n-7')).text).toMatch(/^SESSION_LIMIT: /);
      for (let number = 1; number <= 6; number += 1) await close(`n-${number}`);
    });
  });

  describe('a session', () => {
    beforeAll(async () => {
      await connect('web-1');
    });
    afterAll(async () => {
      await close('web-1');
    });

    it('keeps directory and variables from call to call', async () => {
      await exec('web-1', 'cd /tmp; export SHOWN=1; hidden=2; f() { echo "f: $1"; }');
      const { structure } = await exec('web-1', 'pwd; echo $SHOWN$hidden; f x; sh -c "echo $SHOWN-$hidden"');
      expect(structure).toMatchObject({ stdout: '/tmp\n12\nf: x\n1-2\n', exitCode: 0, workingDir: '/tmp' });
    });

    it('answers stdout, stderr and code of a command that fails, which is no error', async () => {
      const result = await exec('web-1', 'echo out; echo err >&2; exit_code() { return 3; }; exit_code', {
        workingDir: '/',
      });
      expect(result).toMatchObject({
        isError: false,
        structure: { stdout: 'out\n', stderr: 'err\n', exitCode: 3, workingDir: '/' },
      });
      expect(result.text).toMatch(
        /exited with code 3 .*directory now \/\.\nstdout \(4 bytes\):\nout\nstderr \(4 bytes\):\nerr$/,
      );
    });

    it('gives stdin to a command, and the end of it', async () => {
      expect((await exec('web-1', 'cat; read x || echo end', { stdin: 'ä\n' })).structure).toMatchObject({
        stdout: 'ä\nend\n',
      });
      expect((await exec('web-1', 'cat')).structure).toMatchObject({ stdout: '', exitCode: 0 });
    });

    it('FC25 gives head and tail of 5 MB and 1 MB at once, under 36,000 characters, and every byte on request', async () => {
      const command = 'head -c 5000000 /dev/zero | tr "\\0" a & head -c 1000000 /dev/zero | tr "\\0" "\\042" >&2; wait';
      const { structure, text } = await exec('web-1', command);
      expect(structure).toMatchObject({ stdoutBytes: 5_000_000, stderrBytes: 1_000_000, truncated: true });
      expect(JSON.stringify(structure).length).toBeLessThan(36_000);
      expect(JSON.stringify(text).length).toBeLessThan(36_000);
      const commandId = structure?.['commandId'];
      let [offset, got] = [0, 0];
      for (let complete = false; !complete;) {
        const part = await client.call('ssh_command_output', {
          sessionName: 'web-1',
          commandId,
          offset,
          limit: 200_000,
        });
        const output = String(part.structure?.['output']);
        expect(/^a*$/.test(output)).toBe(true);
        got += output.length;
        offset = Number(part.structure?.['nextOffset']);
        complete = part.structure?.['complete'] === true;
      }
      expect(got).toBe(5_000_000);
    });

    it('FC44 stops a command at its time limit, given as text', async () => {
      const { structure } = await exec('web-1', 'sleep 30', { timeoutSeconds: '0.3' });
      expect(structure).toMatchObject({ status: 'timed_out' });
      expect((await exec('web-1', 'echo on')).structure).toMatchObject({ stdout: 'on\n' });
    });

    it('answers "running", then "queued" behind it, and cancels both', async () => {
      const running = await exec('web-1', 'echo begun; sleep 60', { waitSeconds: 0.5 });
      expect(running.structure).toMatchObject({ status: 'running', stdout: 'begun\n' });
      const blocker = running.structure?.['commandId'];
      const queued = await exec('web-1', 'echo never', { waitSeconds: 0 });
      expect(queued.structure).toMatchObject({ status: 'queued', queuePosition: 1, blockedBy: blocker });
      const status = await client.call('ssh_session_status', { sessionName: 'web-1' });
      expect(status.structure).toMatchObject({
        lease: 'agent',
        status: 'connected',
        lanes: [{ lane: 'agent', state: 'busy' }, {}],
      });
      const cancel = (commandId: unknown) => client.call('ssh_command_cancel', { sessionName: 'web-1', commandId });
      expect((await cancel(queued.structure?.['commandId'])).structure).toMatchObject({ status: 'cancelled' });
      expect((await cancel(blocker)).structure).toMatchObject({ status: 'cancelled', shellRestarted: false });
    });

    it('is listed, shown in detail and has an address', async () => {
      const list = await client.call('ssh_list_sessions');
      const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as unknown;
      const row = { name: 'web-1', host: '127.0.0.1', status: 'connected', kind: 'posix', lease: 'agent' };
      expect(list.structure).toMatchObject({ sessions: [{ ...row, lastActivity: time, connectionTime: time }] });
      expect(list.text).toContain('web-1: 127.0.0.1, connected');
      const status = await client.call('ssh_session_status', { sessionName: 'web-1' });
      const commands = status.structure?.['commands'];
      expect(commands).toContainEqual(expect.objectContaining({ command: 'echo on', status: 'exited', exitCode: 0 }));
      expect(status.text).toContain('echo on');
      const url = await client.call('ssh_get_session_url', { sessionName: 'web-1' });
      expect(url.structure).toMatchObject({
        sessionName: 'web-1',
        url: 'http://127.0.0.1:8080/session/web-1#v=ticket',
      });
    });

    it('has a terminal for what needs one', async () => {
      const { structure, text } = await client.call('ssh_terminal', {
        ...{ sessionName: 'web-1', input: 'tty && stty size | tr " " x\n', waitFor: '\\d+x\\d+', waitSeconds: 10 },
      });
      expect(structure).toMatchObject({
        matched: true,
        ended: false,
        output: expect.stringContaining('/dev/pts/') as unknown,
      });
      expect(text).toContain('/dev/pts/');
      const bad = await client.call('ssh_terminal', { sessionName: 'web-1', waitFor: '(' });
      expect(bad.text).toMatch(/^INVALID_PARAMS: waitFor must be a regular expression/);
    });

    it.each([
      ['ssh_exec', { command: 'true' }],
      ['ssh_terminal', { input: 'x' }],
      ['ssh_session_status', {}],
      ['ssh_get_session_url', {}],
      ['ssh_command_output', { commandId: 'c' }],
      ['ssh_command_cancel', { commandId: 'c' }],
      ['ssh_disconnect', {}],
    ])('of another name is not found by %s, which names those that exist', async (tool, more) => {
      const { text, error } = await client.call(tool, { sessionName: 'web-2', ...more });
      expect(text).toMatch(/^SESSION_NOT_FOUND: /);
      expect(JSON.stringify(error?.['details'])).toContain('web-1');
    });
  });

  describe('a connection that dies', () => {
    it('ends the running command as lost at once with its output, and comes back by itself', async () => {
      await connect('cut-1');
      await exec('cut-1', 'cd /tmp; export KEPT=yes');
      const asked = exec('cut-1', 'echo before; sleep 60');
      const { sessions } = real.core;
      await waitFor('output', () => (sessions.get('cut-1').view().running?.stdoutBytes ?? 0) > 0);
      await sshd.killConnections();
      expect((await asked).structure).toMatchObject({ status: 'lost', exitCode: null, stdout: 'before\n' });
      await waitFor('the session to be back', () => sessions.get('cut-1').view().status === 'connected', 20_000);
      const after = await exec('cut-1', 'pwd; echo $KEPT');
      expect(after.structure).toMatchObject({ stdout: '/tmp\nyes\n' });
      expect(JSON.stringify(after.structure?.['notices'])).toMatch(/connection was lost/);
      await close('cut-1');
    });

    it('is told by every tool that needs it while the server is away', async () => {
      await connect('away-1');
      await sshd.goDown();
      const { sessions } = real.core;
      await waitFor('the loss', () => sessions.get('away-1').view().status !== 'connected');
      const waiting = await exec('away-1', 'true', { waitSeconds: 0 });
      expect(waiting.error?.['code'] ?? waiting.structure?.['status']).toMatch(/^(SESSION_LOST|queued)$/);
      expect((await client.call('ssh_terminal', { sessionName: 'away-1', input: 'x' })).error).toMatchObject({
        code: 'SESSION_LOST',
      });
      const status = await client.call('ssh_session_status', { sessionName: 'away-1' });
      expect(status.structure).toMatchObject({ status: 'reconnecting', statusReason: expect.any(String) as unknown });
      await close('away-1');
      await sshd.comeUp();
    });
  });
});
