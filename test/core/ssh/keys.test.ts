// Private key files: each fault has its own reason, and unlocking blocks nobody.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { appErrorOf } from '../../support/app-error.ts';
import { run } from '../../support/run.ts';
import { makeKey } from '../../support/ssh-agent.ts';
import type { TestSshd } from '../../support/sshd.ts';
import { startSshd } from '../../support/sshd.ts';
import { connectTo, execText } from '../../support/ssh-connect.ts';
import { expandPath } from '../../../src-main/core/ssh/key-file.ts';
import { keyKind } from '../../../src-main/core/ssh/key-text.ts';
import { unlockKey } from '../../../src-main/core/ssh/key-unlock.ts';
import { packOpensshKey } from '../../../src-main/core/ssh/openssh-key.ts';

const PASSPHRASE = 'four quite plain words';
let server: TestSshd;
let locked: string;
beforeAll(async () => {
  server = await startSshd();
  locked = await makeKey(path.join(server.folder, 'locked'), { passphrase: PASSPHRASE, rounds: 2 });
  server.authorize(server.account, fs.readFileSync(`${locked}.pub`, 'utf8'));
});
afterAll(() => server.stop());

async function fault(keyFile: string, passphrase?: string) {
  const credentials = passphrase === undefined ? { keyFile } : { keyFile, passphrase };
  const error = await appErrorOf(connectTo(server, { credentials }));
  if (passphrase) expect(JSON.stringify(error)).not.toContain(passphrase);
  expect(error.code).toBe('AUTHENTICATION_FAILED');
  expect(error.details['keyFile']).toBe(keyFile);
  return error;
}

describe('a key file that cannot be used', () => {
  it('is missing', async () => {
    const file = path.join(server.folder, 'nowhere', 'id');
    const error = await fault(file);
    expect(error.details['reason']).toBe('key_missing');
    expect(error.message).toBe(`The key file ${file} does not exist`);
    expect((await fault(`${locked}/id`)).details['reason']).toBe('key_missing');
  });

  it('is a folder or a device', async () => {
    expect((await fault(server.folder)).details['reason']).toBe('key_is_directory');
    expect((await fault('/dev/zero')).details['reason']).toBe('key_format');
    const pipe = path.join(server.folder, 'pipe');
    await run('mkfifo', [pipe]);
    expect((await fault(pipe)).details['reason']).toBe('key_format');
  });

  it('is there but cannot be read', async () => {
    // Root may read everything, but even root cannot follow a link to itself.
    const file = path.join(server.folder, 'loop');
    fs.symlinkSync(file, file);
    const error = await fault(file);
    expect(error.details['reason']).toBe('key_unreadable');
    expect(error.message).toBe(`The key file ${file} cannot be read`);
  });

  it('holds no private key', async () => {
    const text = path.join(server.folder, 'notes.txt');
    fs.writeFileSync(text, 'shopping list');
    expect((await fault(text)).message).toContain('is not a private key');
    expect((await fault(`${locked}.pub`)).message).toContain('holds a public key');
    const big = path.join(server.folder, 'big');
    fs.writeFileSync(big, Buffer.alloc(300_000));
    expect((await fault(big)).details['reason']).toBe('key_format');
    const putty = path.join(server.folder, 'putty.ppk');
    fs.writeFileSync(putty, 'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n');
    expect((await fault(putty)).message).toContain('is a PuTTY key (version 3, ssh-ed25519), which is not supported');
  });

  it('is damaged', async () => {
    const file = path.join(server.folder, 'damaged');
    const whole = fs.readFileSync(server.account.keyFile, 'utf8').split('\n');
    fs.writeFileSync(file, [...whole.slice(0, 3), ...whole.slice(4)].join('\n'));
    const error = await fault(file);
    expect(error.details['reason']).toBe('key_format');
    expect(error.message).toContain('is damaged or of an unknown kind');
  });

  it('needs a passphrase', async () => {
    expect((await fault(locked)).details['reason']).toBe('passphrase_missing');
    expect((await fault(locked, '')).details['reason']).toBe('passphrase_missing');
  });

  const formats = [
    { name: 'OpenSSH', request: { rounds: 1 } },
    { name: 'PEM', request: { type: 'rsa', bits: 2048, format: 'PEM' } },
    { name: 'PKCS#8', request: { type: 'rsa', bits: 2048, format: 'PKCS8' } },
  ] as const;
  it.each(formats)('has another passphrase ($name)', async ({ name, request }) => {
    const file = path.join(server.folder, `other_${name.replace('#', '')}`);
    await makeKey(file, { ...request, passphrase: PASSPHRASE });
    const error = await fault(file, 'not that one at all');
    expect(error.details['reason']).toBe('passphrase_wrong');
    expect(error.message).toBe(`The key file ${file} cannot be unlocked with this passphrase`);
  });
});

describe('FC30 unlocking a key must not freeze the app', () => {
  it('lets the event loop go on meanwhile, does not use up the time limit, and can be cancelled', async () => {
    const slow = await makeKey(path.join(server.folder, 'slow'), { passphrase: PASSPHRASE, rounds: 60 });
    server.authorize(server.account, fs.readFileSync(`${slow}.pub`, 'utf8'));
    const credentials = { keyFile: slow, passphrase: PASSPHRASE };
    // A busy machine makes gaps of its own; unlocking in this thread would make one gap of nearly the whole time.
    const startedAt = performance.now();
    let last = startedAt;
    let longestGapMs = 0;
    const beat = setInterval(() => {
      longestGapMs = Math.max(longestGapMs, performance.now() - last);
      last = performance.now();
    }, 5);
    const connection = await connectTo(server, { credentials, timeoutMs: 10_000 });
    clearInterval(beat);
    const wholeMs = performance.now() - startedAt;
    expect(wholeMs).toBeGreaterThan(1000);
    expect(longestGapMs).toBeLessThan(wholeMs / 4);
    expect(await execText(connection, 'echo in')).toBe('in\n');
    connection.close();

    const controller = new AbortController();
    const cancelled = appErrorOf(connectTo(server, { credentials: { ...credentials }, signal: controller.signal }));
    setTimeout(() => controller.abort(), 100);
    const cancelledAt = performance.now();
    expect((await cancelled).details['reason']).toBe('cancelled');
    expect(performance.now() - cancelledAt).toBeLessThan(wholeMs / 2);
  });

  it('unlocks once for all reconnects with the same credentials, until the file changes', async () => {
    const file = await makeKey(path.join(server.folder, 'again'), { passphrase: PASSPHRASE, rounds: 30 });
    server.authorize(server.account, fs.readFileSync(`${file}.pub`, 'utf8'));
    const credentials = { keyFile: file, passphrase: PASSPHRASE };
    const timed = async () => {
      const startedAt = performance.now();
      (await connectTo(server, { credentials })).close();
      return performance.now() - startedAt;
    };
    const [first, second] = [await timed(), await timed()];
    expect(second).toBeLessThan(first / 2);
    fs.copyFileSync(`${locked}.pub`, file);
    expect((await appErrorOf(connectTo(server, { credentials }))).details['reason']).toBe('key_format');
  });
});

describe('the key parts', () => {
  it('tells kinds of key files apart', () => {
    expect(keyKind('-----BEGIN PRIVATE KEY-----')).toEqual({ kind: 'private', encrypted: false });
    expect(keyKind('-----BEGIN ENCRYPTED PRIVATE KEY-----')).toEqual({ kind: 'private', encrypted: true });
    expect(keyKind('-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n')).toEqual({
      kind: 'private',
      encrypted: true,
    });
    expect(keyKind('PuTTY-User-Key-File-2: ssh-rsa\r\nEncryption: aes256-cbc\r\n')).toEqual({
      kind: 'private',
      encrypted: true,
    });
    expect(keyKind('PuTTY-User-Key-File-2: ssh-rsa\nEncryption: none\n')).toEqual({
      kind: 'private',
      encrypted: false,
    });
    expect(keyKind('---- BEGIN SSH2 PUBLIC KEY ----')).toEqual({ kind: 'public' });
    expect(keyKind('-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----')).toEqual({
      kind: 'none',
    });
  });

  it('names a cipher that is not supported', async () => {
    const file = path.join(server.folder, 'chacha');
    const cipher = ['-Z', 'chacha20-poly1305@openssh.com', '-a', '1'];
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', PASSPHRASE, ...cipher, '-f', file]);
    expect((await fault(file, PASSPHRASE)).message).toContain(
      'an OpenSSH key encrypted with chacha20-poly1305@openssh.com',
    );
  });

  it('does not pack keys that SSH cannot use', () => {
    expect(() => packOpensshKey({ kty: 'EC', crv: 'secp256k1' })).toThrow('secp256k1');
    expect(() => packOpensshKey({ kty: 'OKP', crv: 'X25519' })).toThrow('X25519');
    expect(() => packOpensshKey({ kty: 'oct' })).toThrow('oct');
    expect(() => packOpensshKey({})).toThrow('unknown');
    expect(unlockKey('nothing', undefined)).toMatchObject({ kind: 'unreadable' });
  });

  it('expands the home folder', () => {
    vi.stubEnv('HOME', '/home/someone');
    expect(expandPath('~')).toBe('/home/someone');
    expect(expandPath('~/.ssh/id')).toBe('/home/someone/.ssh/id');
    expect(expandPath('id')).toBe('/home/someone/id');
    expect(expandPath('/etc/id')).toBe('/etc/id');
    vi.unstubAllEnvs();
  });
});
