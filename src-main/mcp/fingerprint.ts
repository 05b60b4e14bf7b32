// Names a piece of input that must not be logged itself: by its size and the start of its hash.
import { createHash } from 'node:crypto';

/** Hexadecimal characters of the hash that are kept: enough to tell two frames apart. */
const HASH_CHARS = 16;

/** Size in bytes and hash, for the log. */
export function fingerprint(bytes: Uint8Array | string): { readonly bytes: number; readonly sha256: string } {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, HASH_CHARS);
  return { bytes: Buffer.byteLength(bytes), sha256: hash };
}
