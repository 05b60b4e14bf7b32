// The bytes that a terminal sends for a key.

/** Keys whose bytes depend on the cursor key mode (DECCKM): the final letter. */
const CURSOR_KEYS: Readonly<Record<string, string>> = {
  up: 'A',
  down: 'B',
  right: 'C',
  left: 'D',
  home: 'H',
  end: 'F',
};

const FIXED_KEYS: Readonly<Record<string, string>> = {
  enter: '\r',
  tab: '\t',
  escape: '\u001b',
  backspace: '\u007f',
  delete: '\u001b[3~',
  'page-up': '\u001b[5~',
  'page-down': '\u001b[6~',
  space: ' ',
  f1: '\u001bOP',
  f2: '\u001bOQ',
  f3: '\u001bOR',
  f4: '\u001bOS',
  f5: '\u001b[15~',
  f6: '\u001b[17~',
  f7: '\u001b[18~',
  f8: '\u001b[19~',
  f9: '\u001b[20~',
  f10: '\u001b[21~',
  f11: '\u001b[23~',
  f12: '\u001b[24~',
};

/** Bytes of a key by its name (see TERMINAL_KEYS); undefined for a name that is no key. */
export function keyBytes(key: string, applicationCursor: boolean): string | undefined {
  const cursor = CURSOR_KEYS[key];
  if (cursor !== undefined) return `\u001b${applicationCursor ? 'O' : '['}${cursor}`;
  const control = /^ctrl-([a-z\\])$/.exec(key)?.[1];
  if (control !== undefined) return String.fromCharCode(control.toUpperCase().charCodeAt(0) & 0x1f);
  return FIXED_KEYS[key];
}

/** Text as it is typed: the Enter key of a terminal sends a carriage return. */
export function typedText(input: string): string {
  return input.replace(/\r?\n/g, '\r');
}
