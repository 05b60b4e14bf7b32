// How many bytes at the end belong to an unfinished character: compared with what the platform's decoder holds back.
import { describe, expect, it } from 'vitest';
import { Utf8Tail } from '../../src-main/core/utf8-tail.ts';

/** Bytes of `bytes` that a streaming decoder has not decided about yet, found by what flushing adds. */
function heldBack(bytes: Uint8Array): boolean {
  const decoder = new TextDecoder();
  decoder.decode(bytes, { stream: true });
  return decoder.decode().length > 0;
}

describe('the unfinished tail', () => {
  it('is the same whether bytes come at once or one by one', () => {
    const text = Buffer.from('aé€𝄞🧑‍💻\u0000z');
    for (let end = 1; end <= text.length; end += 1) {
      const whole = new Utf8Tail().push(text.subarray(0, end));
      const slow = new Utf8Tail();
      let last = 0;
      for (const byte of text.subarray(0, end)) last = slow.push(Buffer.of(byte));
      expect(last).toBe(whole);
      expect(whole > 0).toBe(heldBack(text.subarray(0, end)));
    }
  });

  it('agrees with the decoder for every pair of bytes, valid or not', () => {
    const wrong: string[] = [];
    for (let first = 0; first < 256; first += 1) {
      for (let second = 0; second < 256; second += 1) {
        const bytes = Buffer.of(first, second);
        if (new Utf8Tail().push(bytes) > 0 !== heldBack(bytes)) wrong.push(bytes.toString('hex'));
      }
    }
    expect(wrong).toEqual([]);
  });

  it('starts anew after a reset', () => {
    const tail = new Utf8Tail();
    tail.push(Buffer.of(0xe2, 0x80));
    tail.reset();
    expect(tail.push(Buffer.of(0x94))).toBe(0);
  });
});
