// Identifiers of commands.
import { randomWord } from '../shells/nonce.ts';

/** A new identifier: `c-` and 12 characters, 60 random bits. */
export function newCommandId(): string {
  return `c-${randomWord(12)}`;
}
