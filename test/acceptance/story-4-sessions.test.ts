// Story 4, managing sessions: through a real client, the bridge, and a real SSH server.
import { beforeAll, expect, it } from 'vitest';
import { useAssistant } from '../support/assistant.ts';
import { waitFor } from '../support/processes.ts';

const here = useAssistant();
const { ask, fail, target } = here;

beforeAll(async () => {
  for (const name of ['one', 'two']) await ask('ssh_connect', target(name));
});

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown;
const NAMED = ['ssh_get_session_url', 'ssh_disconnect', 'ssh_session_status'];

it('[S4.1, S4.2] lists every session with name, host, status, last activity and connection time', async () => {
  const { sessions } = await ask('ssh_list_sessions');
  expect(sessions).toEqual(
    ['one', 'two'].map((name) => ({
      name,
      host: here.sshd.host,
      status: 'connected',
      lastActivity: TIME,
      connectionTime: TIME,
      kind: 'posix',
      busy: false,
      lease: expect.stringMatching(/^(idle|agent)$/) as unknown,
    })),
  );
});

it('[S4.1] shows in the list that a session is busy, and that it no longer is', async () => {
  const started = await ask('ssh_exec', { sessionName: 'two', command: 'sleep 30', waitSeconds: 0 });
  const row = async () =>
    ((await ask('ssh_list_sessions'))['sessions'] as { name: string; busy: boolean }[]).find(
      ({ name }) => name === 'two',
    );
  await waitFor('the session to be busy', async () => (await row())?.busy === true);
  await ask('ssh_command_cancel', { sessionName: 'two', commandId: started['commandId'] });
  await waitFor('the session to be free', async () => (await row())?.busy === false);
});

it('[S4.3] gives an address under which this session, and no other, can be watched', async () => {
  const { url } = await ask('ssh_get_session_url', { sessionName: 'one' });
  const address = new URL(String(url));
  const { monitorUrl } = await here.desk.running();
  expect(address.origin).toBe(monitorUrl);
  expect(address.pathname).toBe('/session/one');
  const ticket = address.hash.replace(/^#v=/, '');

  const login = await fetch(`${monitorUrl}/api/ticket`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ session: 'one', ticket }),
  });
  expect(login.status).toBe(204);
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  expect(cookie).not.toBe('');
  const status = async (path: string, headers: Record<string, string>) =>
    (await fetch(`${monitorUrl}${path}`, { headers })).status;
  expect(await status('/session/one', { cookie })).toBe(200);
  expect(await status('/session/two', { cookie })).toBe(401);
  expect(await status('/session/one', {})).toBe(401);
});

it('[S4.5] describes one session in detail', async () => {
  await ask('ssh_exec', {
    sessionName: 'one',
    command: 'cd /tmp; echo out; echo err >&2; exit_code() { return 3; }; exit_code',
  });
  const status = await ask('ssh_session_status', { sessionName: 'one' });
  expect(status).toMatchObject({
    name: 'one',
    host: here.sshd.host,
    port: here.sshd.port,
    username: here.sshd.account.name,
    kind: 'posix',
    status: 'connected',
    statusReason: null,
    serverVersion: expect.stringContaining('OpenSSH') as unknown,
    fingerprint: here.sshd.hostKeys[0]?.fingerprint,
    shell: expect.stringMatching(/^bash /) as unknown,
    workingDir: '/tmp',
    connectionTime: TIME,
    lastActivity: TIME,
    reconnects: 0,
  });
  expect(status['bytesIn']).toBeGreaterThan(0);
  expect(status['bytesOut']).toBeGreaterThan(0);
  const last = (status['commands'] as Record<string, unknown>[]).at(-1);
  expect(last).toMatchObject({ status: 'exited', exitCode: 3, client: 'client-one', stdoutBytes: 4, stderrBytes: 4 });
});

it('[S4.4] closes the session named and no other', async () => {
  await ask('ssh_connect', target('to-close'));
  const running = await ask('ssh_exec', { sessionName: 'to-close', command: 'sleep 30', waitSeconds: 0 });
  expect(await ask('ssh_disconnect', { sessionName: 'to-close' })).toMatchObject({
    sessionName: 'to-close',
    closed: true,
    stillRunning: [{ commandId: running['commandId'], command: 'sleep 30' }],
  });
  const { sessions } = await ask('ssh_list_sessions');
  expect((sessions as { name: string }[]).map(({ name }) => name)).toEqual(['one', 'two']);
  expect((await fail('ssh_session_status', { sessionName: 'to-close' })).code).toBe('SESSION_NOT_FOUND');
});

it('[S4.6, S4.7] answers an unknown session with the same kind of message from each tool, naming those that exist', async () => {
  const failures = await Promise.all(NAMED.map((tool) => fail(tool, { sessionName: 'nowhere' })));
  for (const failure of failures) expect(failure).toEqual(failures[0]);
  expect(failures[0]?.code).toBe('SESSION_NOT_FOUND');
  expect(failures[0]?.text).toMatch(/^SESSION_NOT_FOUND: .*nowhere.*/);
  expect(failures[0]?.text).toMatch(/one.*two/);
  const { sessions } = await ask('ssh_list_sessions');
  expect(sessions).toHaveLength(2);
});
