// Tells what kind of private key file a text is, without unlocking anything.

/** What a key file holds. */
export type KeyKind =
  | { readonly kind: 'private'; readonly encrypted: boolean }
  | { readonly kind: 'public' }
  | { readonly kind: 'unsupported'; readonly what: string }
  | { readonly kind: 'none' };

const OPENSSH = /-----BEGIN OPENSSH PRIVATE KEY-----([^-]+)-----END/;
const MAGIC = 'openssh-key-v1\0';

/** Looks at the outer form only; a text that looks right can still be damaged inside. */
export function keyKind(text: string): KeyKind {
  const openssh = OPENSSH.exec(text);
  if (openssh !== null) return opensshKind(Buffer.from(openssh[1] ?? '', 'base64'));
  if (text.includes('-----BEGIN ENCRYPTED PRIVATE KEY-----')) return { kind: 'private', encrypted: true };
  if (/-----BEGIN (?:(?:RSA|EC|DSA) )?PRIVATE KEY-----/.test(text)) {
    return { kind: 'private', encrypted: /^Proc-Type: 4,ENCRYPTED/m.test(text) };
  }
  const putty = /^PuTTY-User-Key-File-(\d+):\s*(\S+)/m.exec(text);
  if (putty !== null) return puttyKind(text, putty[1] ?? '', putty[2] ?? '');
  if (/^(?:ssh-(?:rsa|ed25519|dss)|ecdsa-sha2-\S+) AAAA/m.test(text)) return { kind: 'public' };
  if (/-----BEGIN (?:RSA )?PUBLIC KEY-----|---- BEGIN SSH2 PUBLIC KEY ----/.test(text)) return { kind: 'public' };
  return { kind: 'none' };
}

function opensshKind(bytes: Buffer): KeyKind {
  if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return { kind: 'none' };
  const length = bytes.length >= MAGIC.length + 4 ? bytes.readUInt32BE(MAGIC.length) : 0;
  const cipher = bytes.toString('latin1', MAGIC.length + 4, MAGIC.length + 4 + length);
  if (cipher.startsWith('chacha20')) return { kind: 'unsupported', what: `an OpenSSH key encrypted with ${cipher}` };
  return { kind: 'private', encrypted: cipher !== 'none' };
}

function puttyKind(text: string, version: string, type: string): KeyKind {
  if (version === '2' && type === 'ssh-rsa') {
    return { kind: 'private', encrypted: !/^Encryption:\s*none/m.test(text) };
  }
  return { kind: 'unsupported', what: `a PuTTY key (version ${version}, ${type})` };
}
