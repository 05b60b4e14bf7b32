// Terminal output as plain text for a reader who sees no terminal: no control sequences, no invisible characters, progress folded.

/** A text after cleaning. */
export interface PlainText {
  readonly text: string;
  /** Something was removed, replaced or folded. */
  readonly changed: boolean;
}

const ESC = 0x1b;
const BEL = 0x07;
const REPLACEMENT = '\uFFFD';

/** Characters that change how text reads without being seen: direction marks, zero widths, tags. Joiners stay: scripts and emoji need them. */
const INVISIBLE: readonly (readonly [number, number])[] = [
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x180e, 0x180e],
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0xfeff, 0xfeff],
  [0xfff9, 0xfffb],
  [0xe0000, 0xe0fff],
];

/** Cleans text; every line for itself, so a sequence that is cut by a newline ends there. */
export function toPlainText(text: string): PlainText {
  if (isPlain(text)) return { text, changed: false };
  const plain = text
    .split('\n')
    .map((line) => plainLine(line))
    .join('\n');
  return { text: plain, changed: plain !== text };
}

/** Last non-empty line, cleaned, at most 200 characters. */
export function lastLineOf(text: string): string {
  const lines = toPlainText(text).text.split('\n');
  const last = lines.findLast((line) => line.trim() !== '') ?? '';
  return Array.from(last.trim()).slice(0, 200).join('');
}

/** Nothing to do for most output, and quickly found out. */
function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20 && code !== 0x0a && code !== 0x09) return false;
    if (code >= 0x7f && (code < 0xa0 || isSuspect(code))) return false;
  }
  return true;
}

/** Could be invisible: looked at more closely then. Surrogates of the tag block start with 0xdb40. */
function isSuspect(code: number): boolean {
  return code === 0xad || code === 0x61c || code === 0x180e || (code >= 0x200b && code <= 0x206f) || code >= 0xdb40;
}

function plainLine(line: string): string {
  const end = line.endsWith('\r') ? '\r' : '';
  const body = end === '' ? line : line.slice(0, -1);
  return foldReturns(removeSequences(body)) + end;
}

/** Of a line that was written over, the last writing that holds anything. */
function foldReturns(line: string): string {
  if (!line.includes('\r')) return line;
  return line.split('\r').findLast((part) => part !== '') ?? '';
}

function removeSequences(line: string): string {
  const kept: string[] = [];
  let at = 0;
  while (at < line.length) {
    const code = line.codePointAt(at) ?? 0;
    const width = code > 0xffff ? 2 : 1;
    if (code === ESC || code === 0x9b || code === 0x9d) {
      at = endOfSequence(line, at);
      continue;
    }
    if (code === 0x08) kept.pop();
    else if (isControl(code)) kept.push(REPLACEMENT);
    else if (!isInvisible(code) && code !== BEL) kept.push(line.slice(at, at + width));
    at += width;
  }
  return kept.join('');
}

function isControl(code: number): boolean {
  return (code < 0x20 && code !== 0x09 && code !== 0x0d && code !== BEL) || (code >= 0x7f && code < 0xa0);
}

function isInvisible(code: number): boolean {
  return code >= 0xad && INVISIBLE.some(([from, to]) => code >= from && code <= to);
}

/** Index after the control sequence that starts at `start`. */
function endOfSequence(line: string, start: number): number {
  const first = line.charCodeAt(start);
  if (first === 0x9b) return endOfCsi(line, start + 1);
  if (first === 0x9d) return endOfString(line, start + 1);
  const second = line[start + 1] ?? '';
  if (second === '[') return endOfCsi(line, start + 2);
  if (second !== '' && ']PX^_'.includes(second)) return endOfString(line, start + 2);
  let at = start + 1;
  while (isBetween(line.charCodeAt(at), 0x20, 0x2f)) at += 1;
  return Math.min(line.length, at + 1);
}

function endOfCsi(line: string, from: number): number {
  let at = from;
  while (isBetween(line.charCodeAt(at), 0x20, 0x3f)) at += 1;
  return isBetween(line.charCodeAt(at), 0x40, 0x7e) ? at + 1 : at;
}

/** To BEL, ST (`ESC \`) or the end of the line. */
function endOfString(line: string, from: number): number {
  for (let at = from; at < line.length; at += 1) {
    const code = line.charCodeAt(at);
    if (code === BEL || code === 0x9c) return at + 1;
    if (code === ESC) return line[at + 1] === '\\' ? at + 2 : at;
  }
  return line.length;
}

function isBetween(code: number, from: number, to: number): boolean {
  return code >= from && code <= to;
}
