// Logging in to a real OpenSSH server in every way that is supported.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { appErrorOf } from '../../support/app-error.ts';
import { startAgent, makeKey } from '../../support/ssh-agent.ts';
import type { SshdOptions, TestSshd } from '../../support/sshd.ts';
import { hasOwnAccounts, startSshd } from '../../support/sshd.ts';
import { connectTo, execText } from '../../support/ssh-connect.ts';
import type { Credentials, SshConnection } from '../../../src-main/core/ssh/port.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function server(options: SshdOptions = {}): Promise<TestSshd> {
  const started = await startSshd(options);
  cleanUps.push(() => started.stop());
  return started;
}

function keep(connection: SshConnection): SshConnection {
  cleanUps.push(() => connection.close());
  return connection;
}

describe('login by key', () => {
  let sshd: TestSshd;
  beforeAll(async () => {
    sshd = await startSshd({ accounts: [{ name: 'tester' }, { name: 'root' }], config: ['Banner /etc/passwd'] });
  });
  afterAll(() => sshd.stop());

  it('logs in and tells who the server is', async () => {
    const connection = keep(await connectTo(sshd));
    expect(await execText(connection, 'echo $USER')).toBe(`${sshd.account.name}\n`);
    expect(connection.fingerprint).toBe(sshd.hostKeys[0]?.fingerprint);
    expect(connection.hostKeyType).toBe('ssh-ed25519');
    expect(connection.serverVersion).toMatch(/^SSH-2\.0-OpenSSH_/);
    expect(connection.username).toBe(sshd.account.name);
    expect(connection.bytesIn).toBeGreaterThan(1000);
    expect(connection.bytesOut).toBeGreaterThan(1000);
    expect(connection.rttMs).toBeNull();
  });

  it('keeps the login banner as text', async () => {
    const connection = keep(await connectTo(sshd));
    expect(connection.banner).toContain('root:');
  });

  it.runIf(hasOwnAccounts)('logs in as root too', async () => {
    const root = sshd.accountOf('root');
    const connection = keep(await connectTo(sshd, { username: 'root', credentials: { keyFile: root.keyFile } }));
    expect(await execText(connection, 'id -u')).toBe('0\n');
  });

  it('logs in over IPv6', async () => {
    const connection = keep(await connectTo(sshd, { host: '::1' }));
    expect(await execText(connection, 'echo six')).toBe('six\n');
  });

  const kinds = [
    { name: 'an RSA key', request: { type: 'rsa', bits: 2048 } },
    { name: 'an ECDSA key', request: { type: 'ecdsa' } },
    { name: 'an RSA key in PEM format', request: { type: 'rsa', bits: 2048, format: 'PEM' } },
    { name: 'an ECDSA key in PKCS#8 format', request: { type: 'ecdsa', format: 'PKCS8' } },
    { name: 'an encrypted OpenSSH key', request: { passphrase: 'let me in please', rounds: 2 } },
    {
      name: 'an encrypted PEM key',
      request: { type: 'rsa', bits: 2048, format: 'PEM', passphrase: 'let me in please' },
    },
    {
      name: 'an encrypted PKCS#8 key',
      request: { type: 'rsa', bits: 2048, format: 'PKCS8', passphrase: 'let me in please' },
    },
  ] as const;
  it.each(kinds)('logs in with $name', async ({ name, request }) => {
    const keyFile = await makeKey(path.join(sshd.folder, name.replaceAll(/\W/g, '_')), request);
    sshd.authorize(sshd.account, fs.readFileSync(`${keyFile}.pub`, 'utf8'));
    const passphrase = 'passphrase' in request ? { passphrase: request.passphrase } : {};
    const connection = keep(await connectTo(sshd, { credentials: { keyFile, ...passphrase } }));
    expect(await execText(connection, 'echo in')).toBe('in\n');
  });

  it('tries the identity files of an alias in turn and passes over those that are missing or locked', async () => {
    const other = await makeKey(path.join(sshd.folder, 'not_authorized'));
    const locked = await makeKey(path.join(sshd.folder, 'locked'), { passphrase: 'secret words', rounds: 1 });
    const identityFiles = [path.join(sshd.folder, 'missing'), locked, other, sshd.account.keyFile];
    const connection = keep(await connectTo(sshd, { credentials: {}, identityFiles }));
    expect(await execText(connection, 'echo in')).toBe('in\n');
    const alone = await appErrorOf(connectTo(sshd, { credentials: {}, identityFiles: identityFiles.slice(0, 2) }));
    expect(alone.details).toEqual({ reason: 'passphrase_missing', keyFile: locked });
  });

  it('says that the key was refused, with its fingerprint', async () => {
    const keyFile = await makeKey(path.join(sshd.folder, 'stranger'));
    const error = await appErrorOf(connectTo(sshd, { credentials: { keyFile } }));
    expect(error.code).toBe('AUTHENTICATION_FAILED');
    expect(error.message).toBe(`127.0.0.1:${sshd.port} refused the key ${keyFile} for the user ${sshd.account.name}`);
    expect(error.details).toMatchObject({ reason: 'key_refused', port: sshd.port, username: sshd.account.name });
    expect(error.details['keys']).toEqual([expect.stringMatching(/^SHA256:/)]);
  });
});

describe.runIf(hasOwnAccounts)('login by password', () => {
  it('logs in with a password, without a probing request before it', async () => {
    const sshd = await server({ config: ['LogLevel DEBUG2'] });
    const connection = keep(await connectTo(sshd, { credentials: { password: sshd.account.password } }));
    expect(await execText(connection, 'echo in')).toBe('in\n');
    expect(sshd.log()).toMatch(/userauth-request for user tester service ssh-connection method password/);
    expect(sshd.log()).not.toMatch(/method none/);
  });

  it('says that the password is wrong, and never shows it', async () => {
    const sshd = await server();
    const error = await appErrorOf(connectTo(sshd, { credentials: { password: 'wrong-word-4711' } }));
    expect(error.code).toBe('AUTHENTICATION_FAILED');
    expect(error.message).toBe(`127.0.0.1:${sshd.port} refused the password for the user tester`);
    expect(error.details).toMatchObject({ reason: 'wrong_password', host: '127.0.0.1', port: sshd.port });
    expect(JSON.stringify(error)).not.toContain('wrong-word-4711');
  });

  it('falls back to the password where the key is refused, and names both when both are', async () => {
    const sshd = await server();
    const keyFile = await makeKey(path.join(sshd.folder, 'stranger'));
    const { password } = sshd.account;
    keep(await connectTo(sshd, { credentials: { keyFile, password } }));
    const error = await appErrorOf(connectTo(sshd, { credentials: { keyFile, password: 'no-such-password' } }));
    expect(error.message).toContain(`refused the key ${keyFile} and the password for the user tester`);
    expect(error.details['reason']).toBe('wrong_password');
  });

  it('says which methods a host has when what was given is not among them', async () => {
    const sshd = await server({ config: ['PasswordAuthentication no'] });
    const error = await appErrorOf(connectTo(sshd, { credentials: { password: 'whatever-else' } }));
    expect(error.message).toContain('lets tester log in only with a key; given was a password');
    expect(error.details).toMatchObject({ reason: 'method_missing', methods: ['publickey'] });
  });

  it('FC26 a host that speaks only keyboard-interactive takes the password for its one hidden prompt', async () => {
    const sshd = await server({
      config: ['UsePAM yes', 'PasswordAuthentication no', 'KbdInteractiveAuthentication yes'],
    });
    const { password } = sshd.account;
    const connection = keep(await connectTo(sshd, { credentials: { password } }));
    expect(await execText(connection, 'echo in')).toBe('in\n');
    const error = await appErrorOf(connectTo(sshd, { credentials: { password: 'not the right one' } }));
    expect(error.code).toBe('AUTHENTICATION_FAILED');
    expect(error.details['reason']).toBe('wrong_password');
  });

  describe('FC27 a host that wants two methods in a row', () => {
    const methods = [
      'publickey,password',
      'password,publickey',
      'publickey,keyboard-interactive',
      'publickey,publickey',
    ];
    const pam = ['UsePAM yes', 'KbdInteractiveAuthentication yes'];

    it.each(methods)('logs in with %s', async (list) => {
      const sshd = await server({ config: [...pam, `AuthenticationMethods ${list}`] });
      const second = await makeKey(path.join(sshd.folder, 'second'));
      sshd.authorize(sshd.account, fs.readFileSync(`${second}.pub`, 'utf8'));
      const { keyFile, password } = sshd.account;
      const twoKeys = list === 'publickey,publickey';
      const credentials: Credentials = twoKeys ? {} : { keyFile, password };
      const identityFiles = twoKeys ? [keyFile, second] : [];
      const connection = keep(await connectTo(sshd, { credentials, identityFiles }));
      expect(await execText(connection, 'echo in')).toBe('in\n');
    });

    it('names the method that is still asked for when only one is given', async () => {
      const sshd = await server({ config: ['AuthenticationMethods publickey,password'] });
      const { keyFile, password } = sshd.account;
      const onlyKey = await appErrorOf(connectTo(sshd, { credentials: { keyFile } }));
      expect(onlyKey.message).toContain('accepted the key of tester, but also asks for a password');
      expect(onlyKey.details).toMatchObject({ reason: 'method_missing', methods: ['password'] });
      const onlyPassword = await appErrorOf(connectTo(sshd, { credentials: { password } }));
      expect(onlyPassword.details).toMatchObject({ reason: 'method_missing', methods: ['publickey'] });
      const wrong = await appErrorOf(connectTo(sshd, { credentials: { keyFile, password: 'not the right one' } }));
      expect(wrong.message).toContain('accepted the key of tester, but refused a password');
    });
  });
});

describe('login by agent', () => {
  async function agent() {
    const started = await startAgent();
    cleanUps.push(() => started.stop());
    vi.stubEnv('SSH_AUTH_SOCK', started.socket);
    return started;
  }

  it.each(['ed25519', 'rsa', 'ecdsa'] as const)(
    'logs in with a key of type %s that only the agent has',
    async (type) => {
      const sshd = await server();
      const keys = await agent();
      const keyFile = await makeKey(path.join(sshd.folder, 'held'), { type });
      sshd.authorize(sshd.account, fs.readFileSync(`${keyFile}.pub`, 'utf8'));
      await keys.add(keyFile);
      fs.rmSync(keyFile);
      const connection = keep(await connectTo(sshd, { credentials: { agent: true } }));
      expect(await execText(connection, 'echo in')).toBe('in\n');
    },
  );

  it.runIf(hasOwnAccounts)('goes on to the password when the host wants that after the agent’s key', async () => {
    const sshd = await server({ config: ['AuthenticationMethods publickey,password'] });
    const keys = await agent();
    await keys.add(await makeKey(path.join(sshd.folder, 'wrong')));
    await keys.add(sshd.account.keyFile);
    const { password } = sshd.account;
    const connection = keep(await connectTo(sshd, { credentials: { agent: true, password } }));
    expect(await execText(connection, 'echo in')).toBe('in\n');
  });

  it('FC28 with many keys in the agent the named key is offered first, else the error says how to name one', async () => {
    const sshd = await server({ config: ['MaxAuthTries 3'] });
    const keys = await agent();
    for (const name of ['w1', 'w2', 'w3', 'w4', 'w5']) await keys.add(await makeKey(path.join(sshd.folder, name)));
    const right = sshd.account.keyFile;
    await keys.add(right);
    const all = await appErrorOf(connectTo(sshd, { credentials: { agent: true } }));
    expect(all.code).toBe('AUTHENTICATION_FAILED');
    expect(all.details).toMatchObject({ reason: 'too_many_tries', tries: 3 });
    expect(all.hint).toContain('keyFile');
    keep(await connectTo(sshd, { credentials: { agent: true, keyFile: right } }));
    fs.renameSync(right, `${right}.elsewhere`);
    keep(await connectTo(sshd, { credentials: { agent: true }, identityFiles: [right] }));
  });

  it('says that no agent runs, unless something else can log in', async () => {
    const sshd = await server();
    vi.stubEnv('SSH_AUTH_SOCK', path.join(sshd.folder, 'nobody.sock'));
    const error = await appErrorOf(connectTo(sshd, { credentials: { agent: true } }));
    expect(error).toMatchObject({ code: 'AUTHENTICATION_FAILED', details: { reason: 'agent_unavailable' } });
    vi.stubEnv('SSH_AUTH_SOCK', '');
    const unset = await appErrorOf(connectTo(sshd, { credentials: { agent: true } }));
    expect(unset.details['reason']).toBe('agent_unavailable');
    keep(await connectTo(sshd, { credentials: { agent: true, keyFile: sshd.account.keyFile } }));
    const refused = await appErrorOf(
      connectTo(sshd, { credentials: { agent: true, keyFile: await makeKey(path.join(sshd.folder, 'stranger')) } }),
    );
    expect(refused.message).toContain('(no SSH agent is running)');
  });

  it('says that the agent is empty', async () => {
    const sshd = await server();
    await agent();
    const error = await appErrorOf(connectTo(sshd, { credentials: { agent: true } }));
    expect(error.details['reason']).toBe('agent_empty');
  });

  it('says that nothing was given to log in with', async () => {
    const sshd = await server();
    const error = await appErrorOf(connectTo(sshd, { credentials: {} }));
    expect(error).toMatchObject({ code: 'AUTHENTICATION_FAILED', details: { reason: 'no_credentials' } });
  });
});
