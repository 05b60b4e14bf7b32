// Host keys: what known_hosts files say, what is asked, what is refused, what is written.
import fs from 'node:fs';
import path from 'node:path';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { appErrorOf } from '../../support/app-error.ts';
import { hasNamespaces, makeProbe } from '../../support/netns.ts';
import type { TestSshd } from '../../support/sshd.ts';
import { startSshd } from '../../support/sshd.ts';
import { makeKey } from '../../support/ssh-agent.ts';
import { connectTo, execText } from '../../support/ssh-connect.ts';
import type { ConnectOptions, HostKeyQuestion } from '../../../src-main/core/ssh/port.ts';
import { namesHost, parseKnownHosts } from '../../../src-main/core/ssh/known-hosts-file.ts';
import { appError } from '../../../src-shared/errors.ts';

let server: TestSshd;
let folder: string;
let otherKey: string;
let otherFingerprint: string;
beforeAll(async () => {
  server = await startSshd({ hostKeyTypes: ['ed25519', 'ecdsa', 'rsa'] });
  const file = await makeKey(path.join(server.folder, 'other_host'));
  otherKey = fs.readFileSync(`${file}.pub`, 'utf8').split(' ').slice(0, 2).join(' ');
  const digest = createHash('sha256')
    .update(Buffer.from(otherKey.split(' ')[1] ?? '', 'base64'))
    .digest('base64');
  otherFingerprint = `SHA256:${digest.replace(/=+$/, '')}`;
});
afterAll(() => server.stop());
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(server.folder, 'known-'));
});

const keyOf = (type: string): string => server.hostKeys.find((key) => key.type === type)?.publicKey ?? '';
const fingerprintOf = (type: string): string => server.hostKeys.find((key) => key.type === type)?.fingerprint ?? '';
const name = (host = '127.0.0.1'): string => `[${host}]:${server.port}`;

function files(theirs: string, ours = ''): readonly [string, string] {
  const both = [path.join(folder, 'theirs'), path.join(folder, 'data', 'known_hosts')] as const;
  fs.writeFileSync(both[0], theirs);
  if (ours !== '') {
    fs.mkdirSync(path.dirname(both[1]));
    fs.writeFileSync(both[1], ours);
  }
  return both;
}

const neverAsk = (): Promise<void> => Promise.reject(new Error('it asked'));

async function connectWith(knownHostsFiles: readonly string[], changes: Partial<ConnectOptions> = {}) {
  const connection = await connectTo(server, { knownHostsFiles, askHostKey: neverAsk, ...changes });
  connection.close();
  return connection;
}

describe('a known key', () => {
  it('is accepted without a question, from either file', async () => {
    await connectWith(files(`${name()} ${keyOf('ed25519')}\n`));
    await connectWith(files('', `${name()} ${keyOf('ed25519')}\n`));
  });

  it('FC32 the type on file is asked for first, so that an RSA key on file is enough', async () => {
    const known = files(`${name()} ${keyOf('rsa')}\n`);
    const connection = await connectWith(known);
    expect(connection.hostKeyType).toBe('ssh-rsa');
    expect(connection.fingerprint).toBe(fingerprintOf('rsa'));
    expect(fs.existsSync(known[1])).toBe(false);
    const ecdsa = await connectWith(files(`${name()} ${keyOf('ecdsa')}\n`));
    expect(ecdsa.hostKeyType).toBe('ecdsa-sha2-nistp256');
  });

  it('may stand under the bare name, as OpenSSH has it', async () => {
    await connectWith(files(`127.0.0.1 ${keyOf('ed25519')}\n`));
  });
});

describe('an unknown key', () => {
  it('is asked about with all that a person needs, and written to our file in OpenSSH’s form', async () => {
    const known = files('# nothing\n');
    const questions: HostKeyQuestion[] = [];
    const ask = (question: HostKeyQuestion): Promise<void> => {
      questions.push(question);
      return Promise.resolve();
    };
    await connectWith(known, { askHostKey: ask, sessionName: 'web-1' });
    expect(questions).toHaveLength(1);
    expect(questions[0]).toMatchObject({
      host: '127.0.0.1',
      port: server.port,
      username: server.account.name,
      keyType: 'ssh-ed25519',
      fingerprint: fingerprintOf('ed25519'),
      sessionName: 'web-1',
      actor: { kind: 'system' },
    });
    expect(fs.readFileSync(known[1], 'utf8')).toBe(`${name()} ${keyOf('ed25519')}\n`);
    expect(fs.statSync(known[1]).mode & 0o777).toBe(0o600);
    expect(fs.readFileSync(known[0], 'utf8')).toBe('# nothing\n');
    await connectWith(known);
  });

  it('is added once by connects at the same time, and other lines stay as they are', async () => {
    const before = `other.example.com ${otherKey}`;
    const known = files('', before);
    const accept = { askHostKey: () => Promise.resolve() };
    await Promise.all([connectWith(known, accept), connectWith(known, accept), connectWith(known, accept)]);
    expect(fs.readFileSync(known[1], 'utf8')).toBe(`${before}\n${name()} ${keyOf('ed25519')}\n`);
  });

  it('is refused when the person does not trust it, and nothing is written', async () => {
    const known = files('');
    const askHostKey = () => Promise.reject(appError('HOST_KEY_UNKNOWN', { details: { reason: 'nobody_answered' } }));
    const error = await appErrorOf(connectWith(known, { askHostKey }));
    expect(error).toMatchObject({ code: 'HOST_KEY_UNKNOWN', details: { reason: 'nobody_answered' } });
    expect(fs.existsSync(known[1])).toBe(false);
  });

  it('lets the time-out stand still while a person is asked', async () => {
    const askHostKey = () => new Promise<void>((resolve) => setTimeout(resolve, 900));
    const connection = await connectTo(server, { knownHostsFiles: files(''), askHostKey, timeoutMs: 700 });
    expect(await execText(connection, 'echo patient')).toBe('patient\n');
    connection.close();
  });

  it('ends the question when the caller gives up or the server hangs up', async () => {
    for (const end of ['abort', 'hang up'] as const) {
      const controller = new AbortController();
      let askedSignal: AbortSignal | undefined;
      const askHostKey = (_question: HostKeyQuestion, signal: AbortSignal): Promise<void> => {
        askedSignal = signal;
        if (end === 'abort') controller.abort();
        else void server.killConnections();
        return new Promise(() => undefined);
      };
      const error = await appErrorOf(connectWith(files(''), { askHostKey, signal: controller.signal }));
      expect(end === 'abort' ? ['cancelled'] : ['closed_in_handshake', 'reset']).toContain(error.details['reason']);
      expect(askedSignal?.aborted).toBe(true);
    }
  });

  it('is not trusted when it cannot be written down', async () => {
    const known = [path.join(folder, 'theirs'), path.join(folder, 'target')];
    fs.mkdirSync(path.join(folder, 'target'));
    const unreadable = await appErrorOf(connectWith(known, { askHostKey: () => Promise.resolve() }));
    expect(unreadable).toMatchObject({ code: 'STORAGE_ERROR', details: { reason: 'known_hosts_unreadable' } });
    const later = path.join(folder, 'later');
    const askHostKey = (): Promise<void> => {
      fs.mkdirSync(later);
      return Promise.resolve();
    };
    const error = await appErrorOf(connectWith([later], { askHostKey }));
    expect(error).toMatchObject({ code: 'STORAGE_ERROR', details: { reason: 'known_hosts_unwritable' } });
  });
});

describe('a changed or revoked key', () => {
  it('is refused with both fingerprints, file and line, and the way out; no credential is sent', async () => {
    const known = files(`# one\n${name()} ${otherKey}\n`);
    const error = await appErrorOf(connectWith(known));
    expect(error.code).toBe('HOST_KEY_CHANGED');
    expect(error.message).toContain(`it is now ${fingerprintOf('ed25519')}, on file is ${otherFingerprint}`);
    expect(error.message).toContain(`${known[0]} line 2`);
    expect(error.hint).toContain(`ssh-keygen -R '${name()}' -f '${known[0]}'`);
    expect(error.details).toMatchObject({
      reason: 'changed',
      fingerprint: fingerprintOf('ed25519'),
      fingerprintOnFile: otherFingerprint,
      file: known[0],
      line: 2,
    });
    const logins = server
      .log()
      .split('\n')
      .filter((line) => line.includes('Accepted publickey')).length;
    await appErrorOf(connectWith(known));
    expect(
      server
        .log()
        .split('\n')
        .filter((line) => line.includes('Accepted publickey')),
    ).toHaveLength(logins);
  });

  it('is refused too when the host no longer shows a key of a type on file', async () => {
    const only = await startSshd({ hostKeyTypes: ['ecdsa'] });
    const known = files(`[127.0.0.1]:${only.port} ${otherKey}\n`);
    const error = await appErrorOf(connectTo(only, { knownHostsFiles: known, askHostKey: neverAsk }));
    expect(error).toMatchObject({
      code: 'HOST_KEY_CHANGED',
      details: { reason: 'changed', keyType: 'ecdsa-sha2-nistp256', keyTypeOnFile: 'ssh-ed25519' },
    });
    await only.stop();
  });

  it('is refused when it is marked as revoked, even if it stands there as good as well', async () => {
    const line = `${name()} ${keyOf('ed25519')}\n`;
    const error = await appErrorOf(connectWith(files(line, `@revoked * ${keyOf('ed25519')}\n`)));
    expect(error).toMatchObject({ code: 'HOST_KEY_CHANGED', details: { reason: 'revoked', line: 1 } });
    expect(error.message).toContain('is marked as revoked');
  });
});

describe('FC31 everyday lines of known_hosts', () => {
  const hash = (host: string): string => {
    const salt = randomBytes(20);
    return `|1|${salt.toString('base64')}|${createHmac('sha1', salt).update(host).digest('base64')}`;
  };
  const lines = (): string =>
    [
      '',
      '# a comment, then plain, several names, two keys, changed, revoked, wildcard, hashed, authority',
      `${name('plain.example.com')} ${keyOf('ed25519')}`,
      `${name('many.example.com')},192.0.2.5,many ${keyOf('ed25519')} with a comment`,
      `${name('two.example.com')} ${keyOf('rsa')}`,
      `${name('two.example.com')} ${keyOf('ed25519')}`,
      `${name('changed.example.com')} ${otherKey}`,
      `${name('revoked.example.com')} ${keyOf('ed25519')}`,
      `@revoked ${name('revoked.example.com')} ${keyOf('ed25519')}`,
      `${name('*.lab.example.com')} ${keyOf('ed25519')}`,
      `${hash(name('hashed.example.com'))} ${keyOf('ed25519')}`,
      `@cert-authority ${name('unknown.example.com')} ${keyOf('ed25519')}`,
      'a broken line',
    ].join('\n');
  const expected = {
    'plain.example.com': 'connected',
    'many.example.com': 'connected',
    'two.example.com': 'connected',
    'a.lab.example.com': 'connected',
    'hashed.example.com': 'connected',
    'PLAIN.example.com': 'connected',
    'changed.example.com': 'changed',
    'revoked.example.com': 'revoked',
    'unknown.example.com': 'HOST_KEY_UNKNOWN',
  };

  it.runIf(hasNamespaces)('are read as OpenSSH reads them', async () => {
    const hosts = Object.keys(expected);
    const text = lines();
    const known = files(text);
    const probe = await makeProbe(fileURLToPath(new URL('../../support/connect-probe.ts', import.meta.url)));
    const orders = hosts.map((host) => ({
      target: {
        host,
        port: server.port,
        username: server.account.name,
        credentials: { keyFile: server.account.keyFile },
        identityFiles: [],
      },
      timeoutMs: 10_000,
      knownHostsFiles: known,
    }));
    const { stdout } = await probe.withHosts(
      `127.0.0.1 ${hosts.join(' ')}`,
      orders.map((order) => JSON.stringify(order)),
    );
    probe.close();
    const got = stdout
      .trim()
      .split('\n')
      .map((line) => {
        const { result } = JSON.parse(line) as { result: 'connected' | { code: string; details: { reason?: string } } };
        return result === 'connected' ? result : (result.details.reason ?? result.code);
      });
    expect(Object.fromEntries(hosts.map((host, index) => [host, got[index]]))).toEqual(expected);
    expect(fs.readFileSync(known[0], 'utf8')).toBe(text);
  });

  it('are matched by pattern, with exclusions', () => {
    expect(namesHost('*.example.com,!bad.example.com', 'good.example.com')).toBe(true);
    expect(namesHost('*.example.com,!bad.example.com', 'bad.example.com')).toBe(false);
    expect(namesHost('10.0.0.?', '10.0.0.7')).toBe(true);
    expect(namesHost('10.0.0.?', '10.0.0.77')).toBe(false);
    expect(namesHost('|1|broken', 'any')).toBe(false);
    expect(parseKnownHosts('@cert-authority * ssh-rsa AAAA\n#x y z\n\nonly two\n', 'f')).toEqual([]);
  });
});
