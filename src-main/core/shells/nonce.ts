// Random words for marks: they cannot be guessed by what a command prints.
import { randomBytes } from 'node:crypto';

/** Random bytes are drawn in stock: one by one they cost more than the rest of a short command's bookkeeping. */
const STOCK_BYTES = 8192;
let stock: Buffer = Buffer.alloc(0);

/** 100 random bits as 20 characters a-z 2-7. */
export function nonce(): string {
  return randomWord(20);
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** A word of five random bits a character. */
export function randomWord(characters: number): string {
  if (stock.length < characters) stock = randomBytes(STOCK_BYTES);
  const bytes = stock.subarray(0, characters);
  stock = stock.subarray(characters);
  let text = '';
  for (const byte of bytes) text += ALPHABET[byte & 31] ?? '';
  return text;
}

/** The part of a shell's greeting that stands in the markers of its commands; half of it, for it is no secret. */
export function markerWord(greeting: string): string {
  return greeting.slice(0, 10);
}
