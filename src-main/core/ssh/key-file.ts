// Loads a private key file for a login: path, reading, kind, passphrase; each fault has a reason of its own.
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { ParsedKey } from 'ssh2';
import ssh2 from 'ssh2';
import { AppError, appError } from '../../../src-shared/errors.ts';
import type { Attempt } from './attempt.ts';
import { keyKind } from './key-text.ts';
import type { Unlocked } from './key-unlock.ts';
import { unlockKey } from './key-unlock.ts';
import { unlockInWorker } from './key-worker-client.ts';
import { fingerprintOf } from './known-hosts-file.ts';
import { errorCode } from './network-failure.ts';

/** A key that can sign. */
export interface LoadedKey {
  /** The path as it was given. */
  readonly file: string;
  readonly key: ParsedKey;
  /** Public key blob, RFC 4253 section 6.6. */
  readonly publicBlob: Buffer;
  readonly fingerprint: string;
}

const KEY_FILE_LIMIT = 256 * 1024;

/** `~` and relative paths count from the home folder of the person. */
export function expandPath(file: string): string {
  const home = os.homedir();
  if (file === '~') return home;
  return path.resolve(home, file.startsWith('~/') || file.startsWith('~\\') ? file.slice(2) : file);
}

/** Rejects with AUTHENTICATION_FAILED, details.reason telling what is wrong; never with the passphrase in it. */
export async function loadKeyFile(file: string, passphrase: string | undefined, attempt: Attempt): Promise<LoadedKey> {
  const text = await readKeyFile(file);
  const encrypted = checkKind(file, text);
  if (encrypted && (passphrase === undefined || passphrase === '')) {
    throw keyFault(
      file,
      'passphrase_missing',
      'needs a passphrase',
      'Give the passphrase of this key, or use the agent.',
    );
  }
  const unlocked =
    encrypted && passphrase !== undefined
      ? await unlockInWorker(text, passphrase, attempt)
      : unlockKey(text, undefined);
  return toLoadedKey(file, unlocked);
}

function toLoadedKey(file: string, unlocked: Unlocked): LoadedKey {
  if (unlocked.kind === 'wrong_passphrase') {
    throw keyFault(
      file,
      'passphrase_wrong',
      'cannot be unlocked with this passphrase',
      'Check the passphrase of this key.',
    );
  }
  const key = unlocked.kind === 'key' ? ssh2.utils.parseKey(unlocked.text) : new Error(unlocked.fault);
  if (key instanceof Error) throw keyFault(file, 'key_format', 'is damaged or of an unknown kind', FORMAT_HINT);
  const publicBlob = key.getPublicSSH();
  return { file, key, publicBlob, fingerprint: fingerprintOf(publicBlob) };
}

const FORMAT_HINT = 'Give a private key in OpenSSH or PEM format; ssh-keygen -p or puttygen can convert it.';

/** Tells whether the key is encrypted; throws for everything that is no usable private key. */
function checkKind(file: string, text: string): boolean {
  const kind = keyKind(text);
  switch (kind.kind) {
    case 'private':
      return kind.encrypted;
    case 'public':
      throw keyFault(
        file,
        'key_format',
        'holds a public key',
        'Give the private key file, usually the same name without .pub.',
      );
    case 'unsupported':
      throw keyFault(file, 'key_format', `is ${kind.what}, which is not supported`, FORMAT_HINT);
    case 'none':
      throw keyFault(file, 'key_format', 'is not a private key', FORMAT_HINT);
  }
}

async function readKeyFile(file: string): Promise<string> {
  try {
    const handle = await fs.open(expandPath(file), fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    try {
      const stat = await handle.stat();
      if (stat.isDirectory())
        throw keyFault(file, 'key_is_directory', 'is a folder', 'Give the path of the key file itself.');
      if (!stat.isFile() || stat.size > KEY_FILE_LIMIT)
        throw keyFault(file, 'key_format', 'is not a private key', FORMAT_HINT);
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw readFault(file, error);
  }
}

function readFault(file: string, error: unknown): unknown {
  if (error instanceof AppError) return error;
  switch (errorCode(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return keyFault(
        file,
        'key_missing',
        'does not exist',
        'Check the path; it is a path on the computer that runs Patchbay.',
      );
    case 'EISDIR':
      return keyFault(file, 'key_is_directory', 'is a folder', 'Give the path of the key file itself.');
    default:
      return keyFault(
        file,
        'key_unreadable',
        'cannot be read',
        'Make the file readable for the account that runs Patchbay.',
      );
  }
}

function keyFault(file: string, reason: string, what: string, hint: string): AppError {
  return appError('AUTHENTICATION_FAILED', {
    message: `The key file ${file} ${what}`,
    hint,
    details: { reason, keyFile: file },
  });
}
