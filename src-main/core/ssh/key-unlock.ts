// Turns a private key file's text into OpenSSH's plain form. Slow for encrypted keys: run it in the worker for those.
import type { JsonWebKey, KeyObject } from 'node:crypto';
import { createPrivateKey } from 'node:crypto';
import ssh2 from 'ssh2';
import { packOpensshKey } from './openssh-key.ts';

/** The key in OpenSSH's unencrypted form, or what is wrong. */
export type Unlocked =
  | { readonly kind: 'key'; readonly text: string }
  | { readonly kind: 'wrong_passphrase' }
  | { readonly kind: 'unreadable'; readonly fault: string };

/** Never throws. `passphrase` is undefined for a key without one. */
export function unlockKey(text: string, passphrase: string | undefined): Unlocked {
  try {
    return { kind: 'key', text: packOpensshKey(toJwk(text, passphrase)) };
  } catch (error) {
    const fault = error instanceof Error ? error.message : 'unknown fault';
    if (passphrase !== undefined && isWrongPassphrase(fault)) return { kind: 'wrong_passphrase' };
    return { kind: 'unreadable', fault };
  }
}

function toJwk(text: string, passphrase: string | undefined): JsonWebKey {
  return toKeyObject(text, passphrase).export({ format: 'jwk' });
}

function toKeyObject(text: string, passphrase: string | undefined): KeyObject {
  const withPassphrase = passphrase === undefined ? {} : { passphrase };
  if (/-----BEGIN (?:ENCRYPTED )?PRIVATE KEY-----/.test(text)) {
    return createPrivateKey({ key: text, format: 'pem', ...withPassphrase });
  }
  const parsed: unknown = ssh2.utils.parseKey(text, passphrase);
  if (parsed instanceof Error) throw parsed;
  // The type says one key; some forms come as a list.
  const key: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  if (!hasPem(key)) throw new Error('no private key inside');
  return createPrivateKey(key.getPrivatePEM());
}

function hasPem(key: unknown): key is { getPrivatePEM(): string } {
  return typeof key === 'object' && key !== null && 'getPrivatePEM' in key && typeof key.getPrivatePEM === 'function';
}

/** What ssh2 and OpenSSL say when the decrypted bytes make no sense. */
function isWrongPassphrase(fault: string): boolean {
  return /bad decrypt|integrity check|unable to authenticate|BAD_DECRYPT|passphrase|Failed to .*decrypt|Malformed|wrong tag|bad password|authenticity|MAC mismatch|asn1/i.test(
    fault,
  );
}
