// Finds an unfinished UTF-8 character at the end of what was received so far.

/** Follows a byte stream and knows how many bytes at its end belong to a character that is not complete yet. */
export class Utf8Tail {
  #last: number[] = [];

  /** Takes the next piece; the answer is 0 to 3. */
  push(bytes: Uint8Array): number {
    this.#last = [...this.#last, ...bytes.subarray(-3)].slice(-3);
    return unfinished(this.#last);
  }

  reset(): void {
    this.#last = [];
  }
}

function unfinished(last: readonly number[]): number {
  for (let length = 1; length <= last.length; length += 1) {
    const byte = last[last.length - length] ?? 0;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    if (length >= lengthOf(byte)) return 0;
    // Decoders give up an impossible second byte at once, so nothing is waited for then.
    return length > 1 && !canFollow(byte, last[last.length - length + 1] ?? 0) ? 0 : length;
  }
  return 0;
}

function lengthOf(lead: number): number {
  if (lead < 0xc2 || lead > 0xf4) return 0;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

/** Second bytes that would make an overlong form, a surrogate or a number beyond U+10FFFF cannot follow. */
function canFollow(lead: number, second: number): boolean {
  if (lead === 0xe0) return second >= 0xa0;
  if (lead === 0xed) return second < 0xa0;
  if (lead === 0xf0) return second >= 0x90;
  if (lead === 0xf4) return second < 0x90;
  return true;
}
