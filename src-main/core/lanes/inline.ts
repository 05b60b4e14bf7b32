// The output of a command as it stands in a result: cleaned for a model, and where it is long, its head and its tail.
import { isUtf8 } from 'node:buffer';
import type { StreamName } from '../../../src-shared/model/index.ts';
import type { ByteStream } from '../sessions/port.ts';
import { Utf8Tail } from '../utf8-tail.ts';
import { toPlainText } from './plain-text.ts';
import { cutEnd, cutStart, jsonWeight } from './json-weight.ts';

/** Bytes as text for a model. */
export interface CleanText {
  readonly text: string;
  /** Bytes that are not UTF-8, control sequences, invisible characters or overwritten progress are not shown as they are. */
  readonly lossy: boolean;
}

/** What to put into a result. */
export interface InlineRequest {
  readonly stdout: ByteStream;
  readonly stderr: ByteStream;
  /** Characters of both streams together; counted as JSON they are at most a tenth more. */
  readonly maxChars: number;
}

/** Both streams within the limit. */
export interface InlineOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** Exact sizes of what was there when it was read. */
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  /** At least one text is a part. */
  readonly truncated: boolean;
  readonly lossy: boolean;
}

/** Of each end at least this much is looked at, so that progress bars fold into a line before anything is cut. */
const LEAST_WINDOW_BYTES = 64 * 1024;
/** UTF-8 needs at most this many bytes for a UTF-16 code unit, with room for control sequences. */
const BYTES_PER_CHAR = 4;
/** Room for the line that says what is left out. */
const MARK_CHARS = 140;
/** More unreadable characters than this share are no text. */
const BINARY_SHARE = 0.1;
const BINARY_LEAST_BYTES = 64;

/** Decodes and cleans a whole piece. */
export function cleanForModel(bytes: Buffer): CleanText {
  const { text, changed } = toPlainText(bytes.toString('utf8'));
  return { text, lossy: changed || !isUtf8(bytes) };
}

/** Reads head and tail of both streams and fits them. Rejects with STORAGE_ERROR. */
export async function inlineOutput({ stdout, stderr, maxChars }: InlineRequest): Promise<InlineOutput> {
  const window = Math.max(LEAST_WINDOW_BYTES, maxChars * BYTES_PER_CHAR);
  const [out, err] = await Promise.all([readEnds('stdout', stdout, window), readEnds('stderr', stderr, window)]);
  const [outChars, errChars] = shares(neededOf(out), neededOf(err), maxChars);
  const [fitOut, fitErr] = [fit(out, outChars), fit(err, errChars)];
  return {
    stdout: fitOut.text,
    stderr: fitErr.text,
    stdoutBytes: out.total,
    stderrBytes: err.total,
    truncated: fitOut.truncated || fitErr.truncated,
    lossy: fitOut.lossy || fitErr.lossy,
  };
}

/** One line with its newline. */
interface Line {
  readonly text: string;
  readonly bytes: number;
  readonly weight: number;
  /** The text stands for its bytes one to one. */
  readonly exact: boolean;
}

interface Ends {
  readonly name: StreamName;
  readonly total: number;
  readonly head: readonly Line[];
  /** Lines of the tail window; empty when the head holds everything. */
  readonly tail: readonly Line[];
  /** Offset of the first line of `tail`. */
  readonly tailFrom: number;
  readonly binary: boolean;
}

interface Fitted extends CleanText {
  readonly truncated: boolean;
}

async function readEnds(name: StreamName, stream: ByteStream, window: number): Promise<Ends> {
  const total = stream.length;
  const whole = total <= window * 2;
  // Without the start of a character whose rest is not there.
  const head = withoutCutEnd(await stream.read(0, whole ? total : window), whole && stream.ended);
  const tail = whole ? Buffer.alloc(0) : withoutCutStart(await stream.read(total - window, window));
  const tailText = withoutCutEnd(tail, stream.ended);
  const binary = isBinary(head) || isBinary(tailText);
  const lines = binary ? { head: [], tail: [] } : { head: linesOf(head), tail: linesOf(tailText) };
  return { name, total, ...lines, tailFrom: total - tail.length, binary };
}

function withoutCutEnd(bytes: Buffer, ended: boolean): Buffer {
  return ended ? bytes : bytes.subarray(0, bytes.length - new Utf8Tail().push(bytes));
}

function withoutCutStart(bytes: Buffer): Buffer {
  let at = 0;
  while (at < 3 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1;
  return bytes.subarray(at);
}

function isBinary(bytes: Buffer): boolean {
  if (bytes.length < BINARY_LEAST_BYTES) return false;
  const text = toPlainText(bytes.subarray(0, LEAST_WINDOW_BYTES).toString('utf8')).text;
  const bad = text.split('\uFFFD').length - 1;
  return bad > text.length * BINARY_SHARE;
}

function linesOf(bytes: Buffer): readonly Line[] {
  const lines: Line[] = [];
  let at = 0;
  while (at < bytes.length) {
    const newline = bytes.indexOf(0x0a, at);
    const end = newline === -1 ? bytes.length : newline + 1;
    const { text, lossy } = cleanForModel(bytes.subarray(at, end));
    lines.push({ text, bytes: end - at, weight: jsonWeight(text), exact: !lossy });
    at = end;
  }
  return lines;
}

/** Weight of everything, or infinity when not everything was read. */
function neededOf({ head, tail, total, binary }: Ends): number {
  if (binary) return binaryText(total).length;
  return tail.length > 0 ? Infinity : weightOf(head);
}

function weightOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { weight }) => sum + weight, 0);
}

/** Each gets what it needs, or half, or what the other leaves. */
function shares(first: number, second: number, all: number): readonly [number, number] {
  if (first + second <= all) return [all, all];
  if (first <= all / 2) return [first, all - first];
  if (second <= all / 2) return [all - second, second];
  return [Math.floor(all / 2), Math.floor(all / 2)];
}

function fit(ends: Ends, chars: number): Fitted {
  const { name, head, tail, total, binary } = ends;
  if (binary) return { text: binaryText(total), truncated: true, lossy: true };
  const lossy = [...head, ...tail].some(({ exact }) => !exact);
  if (neededOf(ends) <= chars) return { text: head.map(({ text }) => text).join(''), truncated: false, lossy };
  const half = Math.max(0, (chars - MARK_CHARS) / 2);
  const start = takeStart(head, half);
  const rest = tail.length > 0 ? { lines: tail, from: ends.tailFrom } : { lines: head, from: 0 };
  const end = takeEnd(rest.lines, half);
  const endFrom = rest.from + rest.lines.reduce((sum, { bytes }) => sum + bytes, 0) - end.bytes;
  const left = endFrom - start.bytes;
  const mark = `[… ${left} bytes left out: ssh_command_output, stream ${name}, offset ${start.bytes} …]`;
  return { text: `${start.text}\n${mark}\n${end.text}`, truncated: true, lossy };
}

interface Taken {
  readonly text: string;
  /** Bytes that the text stands for; a line that was cleaned and cut counts as not shown. */
  readonly bytes: number;
}

function takeStart(lines: readonly Line[], room: number): Taken {
  const texts: string[] = [];
  let bytes = 0;
  let left = room;
  for (const line of lines) {
    if (line.weight > left) {
      const part = cutStart(line.text, left);
      return { text: texts.join('') + part, bytes: bytes + (line.exact ? Buffer.byteLength(part) : 0) };
    }
    texts.push(line.text);
    bytes += line.bytes;
    left -= line.weight;
  }
  return { text: texts.join(''), bytes };
}

function takeEnd(lines: readonly Line[], room: number): Taken {
  const texts: string[] = [];
  let bytes = 0;
  let left = room;
  for (const line of lines.toReversed()) {
    if (line.weight > left) {
      const part = cutEnd(line.text, left);
      return { text: part + texts.toReversed().join(''), bytes: bytes + (line.exact ? Buffer.byteLength(part) : 0) };
    }
    texts.push(line.text);
    bytes += line.bytes;
    left -= line.weight;
  }
  return { text: texts.toReversed().join(''), bytes };
}

function binaryText(total: number): string {
  return `[binary data, ${total} bytes: ssh_command_output with encoding base64 gives them exactly]`;
}
