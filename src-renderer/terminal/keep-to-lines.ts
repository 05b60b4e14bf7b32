// Keeps command output to its own lines: only colours, and erasing within a line, reach the Commands terminal.
import { swallow } from './parser.ts';
import type { Parser } from './parser.ts';

const range = (first: number, last: number): readonly string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index));

const CSI_FINALS = range(0x40, 0x7e);
const ESC_FINALS = range(0x30, 0x7e);
const PREFIXES = ['<', '=', '>', '?'];
const INTERMEDIATES = range(0x20, 0x2f);
/** SGR and EL: they change how text looks, or the row that the cursor is in, and nothing above it. */
const ALLOWED = new Set(['m', 'K']);
/** Title, colours, hyperlinks, clipboard, notifications and what other emulators know; our own mark is not among them. */
const LAST_OSC = 2000;

function swallowCsi(parser: Parser): void {
  for (const final of CSI_FINALS) {
    if (!ALLOWED.has(final)) parser.registerCsiHandler({ final }, swallow);
    for (const prefix of PREFIXES) parser.registerCsiHandler({ prefix, final }, swallow);
    for (const intermediates of INTERMEDIATES) parser.registerCsiHandler({ intermediates, final }, swallow);
  }
  // The only ones that xterm.js knows with both.
  parser.registerCsiHandler({ prefix: '?', intermediates: '$', final: 'p' }, swallow);
}

function swallowEsc(parser: Parser): void {
  for (const final of ESC_FINALS) {
    parser.registerEscHandler({ final }, swallow);
    for (const intermediates of INTERMEDIATES) parser.registerEscHandler({ intermediates, final }, swallow);
  }
}

/**
 * Hooks a parser so that output can neither move to another row, clear, switch screens, ask, nor set title, links or
 * clipboard. Output of a command could else overwrite the headers of others and tell a story of its own.
 */
export function keepToLines(parser: Parser): void {
  swallowCsi(parser);
  swallowEsc(parser);
  for (let id = 0; id <= LAST_OSC; id += 1) parser.registerOscHandler(id, swallow);
  for (const final of CSI_FINALS) {
    parser.registerDcsHandler({ final }, swallow);
    for (const intermediates of INTERMEDIATES) parser.registerDcsHandler({ intermediates, final }, swallow);
  }
}
