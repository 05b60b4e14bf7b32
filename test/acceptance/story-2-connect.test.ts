// Story 2, ssh_connect: through a real client, the bridge, and a real SSH server.
import { expect, it } from 'vitest';
import { useAssistant } from '../support/assistant.ts';
import { freePort } from '../support/net.ts';
import { readAll } from '../support/programs.ts';
import path from 'node:path';
import { asRecord } from '../support/record.ts';

const here = useAssistant({ LOG_LEVEL: 'debug' });
const { ask, fail, target } = here;

const byKey = (name: string) => {
  const { name: username, keyFile } = here.sshd.account;
  return target(name, { username, keyFile });
};

it('[S2.1, S2.2, S2.4] makes a real connection with a key file', async () => {
  await ask('ssh_connect', byKey('with-key'));
  expect(here.sshd.log()).toContain(`Accepted publickey for ${here.sshd.account.name}`);
});

it('[S2.1, S2.2, S2.4] makes a real connection with a password, which nothing repeats', async () => {
  const answer = await ask('ssh_connect', target('with-password'));
  const { name, password } = here.sshd.account;
  expect(here.sshd.log()).toContain(`Accepted password for ${name}`);
  const written = [
    await here.desk.journal(),
    await readAll(path.join(here.desk.dataDir, 'logs')),
    JSON.stringify(answer),
  ];
  for (const text of written) expect(text).not.toContain(password);
});

it('[S2.6] tells the status and the details of the session', async () => {
  const answer = await ask('ssh_connect', target('details'));
  expect(answer).toMatchObject({
    name: 'details',
    host: here.sshd.host,
    port: here.sshd.port,
    username: here.sshd.account.name,
    status: 'connected',
    kind: 'posix',
    serverVersion: expect.stringMatching(/^OpenSSH_/) as unknown,
    fingerprint: here.sshd.hostKeys[0]?.fingerprint,
    workingDir: here.sshd.account.home,
    connectionTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown,
    monitorUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/session\/details#v=.+/) as unknown,
  });
});

it('[S2.5] keeps the session under its name, for later calls', async () => {
  await ask('ssh_connect', target('kept-1'));
  expect(await ask('ssh_exec', { sessionName: 'kept-1', command: 'id -un' })).toMatchObject({
    stdout: `${here.sshd.account.name}\n`,
  });
  const { sessions } = await ask('ssh_list_sessions');
  expect(sessions).toContainEqual(expect.objectContaining({ name: 'kept-1', status: 'connected' }));
});

it('[S2.3] refuses a call without a required argument and tells which', async () => {
  const whole = target('never');
  for (const missing of ['name', 'host', 'credentials']) {
    const { [missing]: _left, ...rest } = whole;
    const { code, text } = await fail('ssh_connect', rest);
    expect(code).toBe('INVALID_PARAMS');
    expect(text).toMatch(new RegExp(`${missing} (is missing|needs one of keyFile, password or agent)`));
  }
  expect((await fail('ssh_connect')).text).toMatch(/name is missing; host is missing/);
});

it('[S2.7] tells the specific reason of a failure', async () => {
  const wrong = { username: here.sshd.account.name, password: 'not-the-password' };
  const reasons = [
    await fail('ssh_connect', target('never', wrong)),
    await fail('ssh_connect', { ...target('never'), port: await freePort() }),
    await fail('ssh_connect', { ...target('never'), host: 'no-such-host.invalid' }),
    await fail('ssh_connect', target('never', { username: 'x', keyFile: '/no/such/key' })),
  ];
  expect(reasons.map(({ code }) => code)).toEqual([
    ...['AUTHENTICATION_FAILED', 'NETWORK_ERROR', 'NETWORK_ERROR', 'AUTHENTICATION_FAILED'],
  ]);
  expect(new Set(reasons.map(({ text }) => text)).size).toBe(4);
  expect(new Set(reasons.map(({ details }) => details['reason'])).size).toBe(4);
  expect(JSON.stringify(reasons)).not.toContain('not-the-password');
});

it('[S2.8] refuses a name that is taken, and the session that has it goes on', async () => {
  await ask('ssh_connect', target('taken'));
  const { code, text } = await fail('ssh_connect', target('taken'));
  expect(code).toBe('SESSION_EXISTS');
  expect(text).toContain('taken');
  expect(await ask('ssh_exec', { sessionName: 'taken', command: 'echo on' })).toMatchObject({ stdout: 'on\n' });
});

const BAD_NAMES = ['web 1', 'web/1', 'wäb', '', 'a'.repeat(65), '../x', 'a.b'];
const GOOD_NAMES = ['A-Z_09', 'x', 'a'.repeat(64)];

it.each(BAD_NAMES)('[S2.9] refuses the name %j', async (name) => {
  const { code, text } = await fail('ssh_connect', target(name));
  expect(code).toBe('INVALID_PARAMS');
  expect(text).toContain('name ');
});

it.each(GOOD_NAMES)('[S2.9] takes the name %j', async (name) => {
  expect(await ask('ssh_connect', target(name))).toMatchObject({ name });
  await ask('ssh_disconnect', { sessionName: name });
});

const BAD_HOSTS = [
  '',
  'two words',
  'bad!host',
  'http://127.0.0.1',
  '999.1.1.1',
  '1.2.3',
  '-oProxyCommand=x',
  '::gg',
  'a'.repeat(256),
];

it.each(BAD_HOSTS)('[S2.10] refuses %j as a host without looking it up', async (host) => {
  const { code, text } = await fail('ssh_connect', { ...target('never'), host });
  expect(text).toMatch(/^INVALID_PARAMS: .*host/);
  expect(code).toBe('INVALID_PARAMS');
});

it.each(['127.0.0.1', 'localhost', '::1', '[::1]'])('[S2.10] takes %j as a host', async (host) => {
  const answer = await here.client.callTool('ssh_connect', { ...target('host-form'), host });
  // Where the machine has no IPv6, the address is still understood.
  if (answer.isError === true) expect(answer.content[0]?.text).toMatch(/^NETWORK_ERROR/);
  else await ask('ssh_disconnect', { sessionName: 'host-form' });
});

it('[S2.11] needs a key file or a password, among the ways to log in', async () => {
  const none = await fail('ssh_connect', target('never', { username: 'x' }));
  expect(none.code).toBe('INVALID_PARAMS');
  for (const way of ['keyFile', 'password', 'agent']) expect(none.text).toContain(way);
  const both = { ...asRecord(byKey('both')['credentials']), password: here.sshd.account.password };
  expect(await ask('ssh_connect', target('both', both))).toMatchObject({ status: 'connected' });
});
