// Looks at the shape of JSON text before it is parsed: text that is deep or has very many parts would hold up everybody.

/** Levels of objects and lists inside each other; our deepest message has 6. */
export const MAX_DEPTH = 64;
/** Values, counted by the commas and colons between them; a message of ours has some dozens. */
export const MAX_PARTS = 20_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * What is wrong with the shape as the rest of a sentence, or undefined. Whether the text is JSON at all is for the
 * parser to say. One pass without memory: about 15 ms for 10 MiB, where parsing a million small parts takes seconds.
 */
export function shapeFault(text: Uint8Array): string | undefined {
  let depth = 0;
  let parts = 0;
  for (let index = 0; index < text.length; index += 1) {
    const byte = text[index] ?? 0;
    if (byte === QUOTE) index = endOfString(text, index);
    else if (isOpening(byte)) depth += 1;
    else if (isClosing(byte)) depth -= 1;
    else if (isBetween(byte)) parts += 1;
    if (depth > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
    if (parts > MAX_PARTS) return `has more than ${MAX_PARTS} parts`;
  }
  return undefined;
}

/** Index of the quote that ends the string which begins at `start`, or the end of the text. */
function endOfString(text: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== QUOTE) index += text[index] === BACKSLASH ? 2 : 1;
  return index;
}

const isOpening = (byte: number): boolean => byte === 0x7b || byte === 0x5b;
const isClosing = (byte: number): boolean => byte === 0x7d || byte === 0x5d;
const isBetween = (byte: number): boolean => byte === 0x2c || byte === 0x3a;
