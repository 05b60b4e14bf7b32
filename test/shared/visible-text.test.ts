// What cannot be seen in a text is shown.
import { expect, it } from 'vitest';
import { visibleText } from '../../src-shared/visible-text.ts';

it('leaves ordinary text of any script alone', () => {
  const text = 'echo "Größe 日本 ✓" |\tgrep -c .\n# é 🙂';
  expect(visibleText(text)).toBe(text);
});

it('shows controls, bidirectional and zero-width characters, and spaces that are none', () => {
  expect(visibleText('a\u001b[2Jb\r\u0000\u007fc\u009b')).toBe('a\u241b[2Jb\u240d\u2400\u2421c<U+009B>');
  expect(visibleText('rm\u202e \u200b\u2028x\u00a0y\u{e0041}\u3164')).toBe(
    'rm<U+202E> <U+200B><U+2028>x<U+00A0>y<U+E0041><U+3164>',
  );
});
