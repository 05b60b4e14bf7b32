// Which algorithms we offer, and in which order.

/**
 * Key exchange methods. Group exchange stands last: its prime check stops the whole process for seconds, so it is
 * used only where a host has nothing else.
 */
const KEY_EXCHANGE = [
  'curve25519-sha256',
  'curve25519-sha256@libssh.org',
  'ecdh-sha2-nistp256',
  'ecdh-sha2-nistp384',
  'ecdh-sha2-nistp521',
  'diffie-hellman-group14-sha256',
  'diffie-hellman-group15-sha512',
  'diffie-hellman-group16-sha512',
  'diffie-hellman-group17-sha512',
  'diffie-hellman-group18-sha512',
  'diffie-hellman-group-exchange-sha256',
] as const;

const HOST_KEY = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
  'ssh-rsa',
] as const;

type HostKeyAlgorithm = (typeof HOST_KEY)[number];

/** The key type that a signature algorithm belongs to. */
function keyTypeOf(algorithm: HostKeyAlgorithm): string {
  return algorithm.startsWith('rsa-sha2-') ? 'ssh-rsa' : algorithm;
}

/** The lists for one connect; key types that are on file for this host are asked for first. */
export function algorithmsFor(typesOnFile: readonly string[]): {
  readonly kex: (typeof KEY_EXCHANGE)[number][];
  readonly serverHostKey: HostKeyAlgorithm[];
} {
  const onFile = HOST_KEY.filter((algorithm) => typesOnFile.includes(keyTypeOf(algorithm)));
  const others = HOST_KEY.filter((algorithm) => !typesOnFile.includes(keyTypeOf(algorithm)));
  return { kex: [...KEY_EXCHANGE], serverHostKey: [...onFile, ...others] };
}
