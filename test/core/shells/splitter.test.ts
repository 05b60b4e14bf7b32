// Marks in a byte stream: found however the network cuts it, and never in anything that only looks like one.
import { describe, expect, it } from 'vitest';
import { Splitter } from '../../../src-main/core/shells/splitter.ts';

/** A small repeatable source of numbers (xorshift), so that a failure can be run again by its seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed * 2654435761 + 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return Math.abs(state) % below;
  };
}

const MARK = Buffer.from('\u001eabcdefgh\u001e');

function split(pieces: readonly Buffer[], marks: readonly Buffer[]): { before: Buffer[]; rest: Buffer } {
  const rest: Buffer[] = [];
  const before: Buffer[][] = marks.map(() => []);
  const splitter = new Splitter((bytes) => rest.push(bytes));
  let found = 0;
  marks.forEach((mark, index) =>
    splitter.expect(
      mark,
      (bytes) => before[index]?.push(bytes),
      () => (found += 1),
    ),
  );
  for (const piece of pieces) splitter.push(piece);
  expect(found).toBe(marks.length);
  return { before: before.map((parts) => Buffer.concat(parts)), rest: Buffer.concat(rest) };
}

describe('Splitter', () => {
  it('finds marks wherever the stream is cut, and gives every other byte to the right sink', () => {
    for (let seed = 1; seed <= 400; seed += 1) {
      const next = numbers(seed);
      // Output made of pieces of marks: the hardest neighbours a mark can have.
      const noise = (): Buffer =>
        Buffer.concat(
          Array.from({ length: next(12) }, () => {
            const start = next(2) === 0 ? 0 : next(MARK.length);
            return next(3) === 0 ? Buffer.from([next(256)]) : MARK.subarray(start, start + next(MARK.length - 1));
          }),
        );
      const clean = (): Buffer => {
        for (;;) {
          const bytes = noise();
          // A mark would have been sent by the shell itself: it may not occur, not even across the border.
          if (Buffer.concat([bytes, MARK]).indexOf(MARK) === bytes.length) return bytes;
        }
      };
      const [first, second, third] = [clean(), clean(), noise()];
      const all = Buffer.concat([first, MARK, second, MARK, third]);
      const pieces: Buffer[] = [];
      for (let at = 0; at < all.length;) {
        const size = 1 + next(next(2) === 0 ? 3 : 40);
        pieces.push(all.subarray(at, at + size));
        at += size;
      }
      const got = split(pieces, [MARK, MARK]);
      expect(
        [...got.before, got.rest].map((bytes) => bytes.toString('hex')),
        `seed ${seed}`,
      ).toEqual([first, second, third].map((bytes) => bytes.toString('hex')));
    }
  });

  it('holds nothing back but the possible start of a mark, and gives that up at the end', () => {
    const got: Buffer[] = [];
    const splitter = new Splitter(() => undefined);
    splitter.expect(
      MARK,
      (bytes) => got.push(bytes),
      () => undefined,
    );
    splitter.push(Buffer.from('text\u001eabc'));
    expect(Buffer.concat(got).toString()).toBe('text');
    splitter.push(Buffer.from('x'));
    expect(Buffer.concat(got).toString()).toBe('text\u001eabcx');
    splitter.push(Buffer.from('\u001e'));
    splitter.end();
    expect(Buffer.concat(got).toString()).toBe('text\u001eabcx\u001e');
  });
});
