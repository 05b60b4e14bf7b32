// Names of host key types as people know them.

const WORDS: Readonly<Record<string, string>> = {
  'ssh-ed25519': 'ED25519',
  'ssh-rsa': 'RSA',
  'rsa-sha2-256': 'RSA',
  'rsa-sha2-512': 'RSA',
  'ecdsa-sha2-nistp256': 'ECDSA P-256',
  'ecdsa-sha2-nistp384': 'ECDSA P-384',
  'ecdsa-sha2-nistp521': 'ECDSA P-521',
};

/** The name, or the protocol's own where there is none. */
export function keyTypeWord(keyType: string): string {
  return WORDS[keyType] ?? keyType;
}
