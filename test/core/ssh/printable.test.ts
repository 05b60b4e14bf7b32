// Server text made harmless.
import { describe, expect, it } from 'vitest';
import { cleanLine, cleanText, shownBytes } from '../../../src-main/core/ssh/printable.ts';

describe('text from a server', () => {
  it('loses control characters, escape sequences and direction marks, but keeps its lines', () => {
    const text =
      'Wel\u001b[31mcome\u0007\u001b]0;title\u0007\u001bM\r\n\tto\u0000 \u202ethe\u2066 lab\u200b\ufeff\u009b!\n';
    expect(cleanText(text)).toBe('Welcome\n\tto the lab!\n');
    expect(cleanText('a\u061cb\u2060c\u2028d\u2029e\u00adf\u{e0041}g')).toBe('abcdefg');
    expect(cleanText('x'.repeat(10_000))).toHaveLength(8192);
  });

  it('becomes one short line for a message', () => {
    expect(cleanLine('  a\n\n b ')).toBe('a b');
    expect(cleanLine('y'.repeat(300), 10)).toBe(`${'y'.repeat(10)}…`);
  });

  it('is shown byte by byte when it is unknown', () => {
    expect(shownBytes(Buffer.from('ok\r\n\u00ff'))).toBe('ok \\xc3\\xbf');
    expect(shownBytes(Buffer.alloc(500, 'a'))).toBe(`${'a'.repeat(80)}…`);
  });
});
