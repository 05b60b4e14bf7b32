// Makes what a server or a person sent harmless to show: no control characters, no direction marks, a limited length.

const SHOWN_BYTES = 80;
const TEXT_LIMIT = 8192;
const ESC = '\u001b';
const BEL = '\u0007';
// CSI, then OSC up to its end, then the short ones. Node's own remover also eats text between a colour and a bell.
const SEQUENCE = new RegExp(
  `${ESC}\\[[0-9;?]*[ -/]*[@-~]|${ESC}\\][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)|${ESC}[@-Z\\\\^_]`,
  'g',
);
// C0 but tab and newline, C1, and what has no shape of its own: marks that reorder text on screen, join it or hide in it.
const INVISIBLE = /[^\P{Cc}\t\n]|[\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text of several lines, such as a banner: escape sequences and control characters removed, at most 8 KiB. */
export function cleanText(text: string): string {
  return text.slice(0, TEXT_LIMIT).replaceAll(SEQUENCE, '').replaceAll(INVISIBLE, '');
}

/** One line of text for a message; longer text ends in an ellipsis. */
export function cleanLine(text: string, limit = 200): string {
  const line = cleanText(text).replaceAll(/\s+/g, ' ').trim();
  return line.length > limit ? `${line.slice(0, limit)}…` : line;
}

/** The first bytes of something unknown: printable ASCII as it is, the rest as `\xNN`, at most 80 characters. */
export function shownBytes(bytes: Uint8Array): string {
  let shown = '';
  for (const byte of bytes) {
    if (shown.length >= SHOWN_BYTES) return `${shown}…`;
    const printable = byte >= 0x20 && byte < 0x7f;
    shown += printable ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return shown.replaceAll('\\x0d\\x0a', ' ').replaceAll('\\x0a', ' ').trim();
}
