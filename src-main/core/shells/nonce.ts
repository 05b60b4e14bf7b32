// Random words for marks: they cannot be guessed by what a command prints.
import { randomBytes } from 'node:crypto';

/** 100 random bits as 20 characters a-z 2-7. */
export function nonce(): string {
  return base32(randomBytes(20));
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** One character for each byte, by its low five bits. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += ALPHABET[byte & 31] ?? '';
  return text;
}
