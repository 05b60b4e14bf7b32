// Identifiers of commands.
import { randomBytes } from 'node:crypto';
import { base32 } from '../shells/nonce.ts';

/** A new identifier: `c-` and 12 characters, 60 random bits. */
export function newCommandId(): string {
  return `c-${base32(randomBytes(12))}`;
}
