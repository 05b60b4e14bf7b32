// Up to where a terminal's output can be drawn without cutting a character or a sequence.
import { describe, expect, it } from 'vitest';
import { SequenceTracker } from '../../../src-main/core/terminal/sequence-tracker.ts';

/** safeOffset after all of these pieces. */
function safeAfter(...pieces: (string | number[])[]): number {
  const tracker = new SequenceTracker();
  for (const piece of pieces) tracker.push(Buffer.from(piece as string));
  return tracker.safeOffset;
}

describe('the safe offset', () => {
  it.each([
    ['plain text', ['hello'], 5],
    ['a whole colour', ['a\u001b[31m'], 6],
    ['a colour cut after ESC', ['ab\u001b'], 2],
    ['a colour cut in its parameters, over three pieces', ['ab\u001b', '[3', '1'], 2],
    ['a colour finished in a later piece', ['ab\u001b[3', '1mx'], 8],
    ['a title without its end', ['ab\u001b]0;title'], 2],
    ['a title ended by BEL', ['\u001b]0;t\u0007'], 6],
    ['a title ended by ESC \\', ['\u001b]0;t\u001b\\'], 7],
    ['a title cut between ESC and \\', ['\u001b]0;t\u001b'], 0],
    ['a title ended by another sequence', ['\u001b]0;t\u001b[1mx'], 10],
    ['a device string', ['\u001bP$q', 'm'], 0],
    ['a charset', ['x\u001b(', 'B'], 4],
    ['a charset cut', ['x\u001b('], 1],
    ['a two-character escape', ['x\u001b7'], 3],
    ['a sequence aborted by CAN', ['x\u001b[3\u0018y'], 6],
    ['a sequence begun anew', ['x\u001b[3\u001b[4'], 4],
    ['a character cut after one byte', ['a', [0xe2]], 1],
    ['a character cut after two bytes', ['a', [0xe2], [0x80]], 1],
    ['a character finished', ['a', [0xe2], [0x80], [0x94]], 4],
    ['bytes that are no characters', [[0xff, 0x80, 0x80]], 3],
  ] as const)('is right after %s', (_name, pieces, wanted) => {
    expect(safeAfter(...(pieces as unknown as string[]))).toBe(wanted);
  });

  it('gives up a sequence that never ends, so that a stray introducer in a binary file does no harm', () => {
    expect(safeAfter('\u001bP', 'x'.repeat(100_000))).toBe(100_002);
  });
});
