// Makes characters visible that could hide or disguise what a text says.

const CONTROL_PICTURES = 0x2400;
const DELETE_PICTURE = '\u2421';

/** Controls, format characters (zero-width, bidirectional, tags), separators and spaces other than the plain one, blank letters. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\u{115f}\u{1160}\u{3164}\u{ffa0}]/gu;

/** The text with control pictures (`\u241b` for ESC) and `<U+202E>` in place of what cannot be seen. Space, tab and line feed stay. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (character) => {
    if (character === ' ' || character === '\n' || character === '\t') return character;
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCharCode(CONTROL_PICTURES + code);
    if (code === 0x7f) return DELETE_PICTURE;
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}
