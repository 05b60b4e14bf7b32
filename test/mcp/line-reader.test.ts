// Checks that lines come out of a byte stream whole, however it was cut.
import { describe, expect, it } from 'vitest';
import { LineReader } from '../../src-main/mcp/line-reader.ts';

function read(chunks: readonly string[], maxBytes = 10): { lines: string[]; tooLong: number[]; reader: LineReader } {
  const lines: string[] = [];
  const tooLong: number[] = [];
  const reader = new LineReader(maxBytes, {
    onLine: (line) => lines.push(line.toString()),
    onTooLong: (bytes) => tooLong.push(bytes),
  });
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  return { lines, tooLong, reader };
}

describe('a line reader', () => {
  it('gives the same lines for every way to cut the stream', () => {
    const text = 'one\n\ntwo\r\nthree\nrest';
    for (let size = 1; size <= text.length; size += 1) {
      const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      const { lines, reader } = read(chunks);
      expect(lines).toEqual(['one', '', 'two', 'three']);
      expect(reader.pending).toBe(4);
      expect(reader.takeRest().toString()).toBe('rest');
    }
  });

  it('throws a line away that is too long, says so once with its size, and goes on', () => {
    const { lines, tooLong } = read(['ab\n', 'x'.repeat(8), 'y'.repeat(8), 'z\nnext\n', '0123456789\n']);
    expect(lines).toEqual(['ab', 'next', '0123456789']);
    expect(tooLong).toEqual([17]);
  });

  it('hands out no more lines once it is paused, and keeps all that follows', () => {
    const lines: string[] = [];
    const reader: LineReader = new LineReader(100, {
      onLine: (line) => {
        lines.push(line.toString());
        reader.pause();
      },
      onTooLong: () => undefined,
    });
    reader.push(Buffer.from('first\nsecond\nthi'));
    reader.push(Buffer.from('rd\n'));
    expect(lines).toEqual(['first']);
    expect(reader.takeRest().toString()).toBe('second\nthird\n');
  });
});
