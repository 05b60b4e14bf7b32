// Makes the result of ssh_command_output: bytes of one stream from an offset, and how the command stands.
import type { StreamName } from '../../src-shared/model/index.ts';
import { isFinal } from '../../src-shared/model/index.ts';
import type { ByteStream, Command } from '../core/sessions/port.ts';
import { Utf8Tail } from '../core/utf8-tail.ts';
import type { Answer } from './tool-result.ts';
import type { ToolOutput } from './tool-types.ts';
import { commandState, durationOf } from './words.ts';
import { cleanForModel } from '../core/lanes/inline.ts';

/** Bytes that a call reads when it does not say. */
const LIMIT_BYTES = 30_000;
/** Most characters of output, counted as JSON, in a result whose size the client did not choose. */
const DEFAULT_JSON_CHARS = 34_000;
/** Longest rest of an unfinished UTF-8 character, in bytes. */
const MAX_UNFINISHED = 3;

/** What was asked for. */
export interface OutputRequest {
  readonly stream: StreamName;
  readonly offset: number;
  readonly encoding: 'text' | 'base64';
  /** Bytes; null = the default, which also keeps the result short. */
  readonly limit: number | null;
  readonly notices: readonly string[];
}

type OutputResult = ToolOutput<'ssh_command_output'>;

/** Rejects with STORAGE_ERROR when stored output cannot be read. */
export async function outputAnswer(command: Command, request: OutputRequest): Promise<Answer<OutputResult>> {
  // First how it stands, then the bytes: so `complete` can never be said of output that came in between.
  const view = command.view();
  const source = command.stream(request.stream);
  const ended = isFinal(view.status) && source.ended;
  const part = await readPart(source, request, ended);
  const nextOffset = request.offset + part.bytes;
  const structure: OutputResult = {
    commandId: view.commandId,
    status: view.status,
    exitCode: view.exitCode,
    signal: view.signal,
    stream: request.stream,
    encoding: request.encoding,
    output: part.text,
    offset: request.offset,
    nextOffset,
    stdoutBytes: command.stream('stdout').length,
    stderrBytes: command.stream('stderr').length,
    complete: ended && nextOffset === source.length,
    lossy: part.lossy,
    durationMs: durationOf(view),
    notices: [...request.notices],
  };
  const total = source.length;
  const rest = structure.complete ? 'That is all of it.' : `Go on with offset ${nextOffset}.`;
  const range = `${request.stream} bytes ${request.offset} to ${nextOffset} of ${total}${ended ? '' : ' so far'}. ${rest}`;
  const totals = `stdout ${structure.stdoutBytes} bytes, stderr ${structure.stderrBytes} bytes in all.`;
  const lossy = part.lossy ? ['Some bytes are not shown as they are; encoding base64 is exact.'] : [];
  const text = [`Command ${view.commandId} ${commandState(view)}.`, totals, range, ...lossy, part.text].join('\n');
  return { structure, text };
}

interface Part {
  readonly text: string;
  /** Bytes of the stream that the text stands for. */
  readonly bytes: number;
  readonly lossy: boolean;
}

async function readPart(source: ByteStream, request: OutputRequest, ended: boolean): Promise<Part> {
  const bytes = await source.read(request.offset, request.limit ?? LIMIT_BYTES);
  if (request.encoding === 'base64') return base64Part(bytes, request.limit === null);
  const atEnd = ended && request.offset + bytes.length === source.length;
  // The start of a character waits for the next call, unless the limit is too small for a whole one.
  const whole = atEnd ? bytes : bytes.subarray(0, bytes.length - new Utf8Tail().push(bytes));
  if (whole.length === 0 && request.offset + bytes.length < source.length) return textPart(bytes);
  return request.limit === null ? shortPart(whole) : textPart(whole);
}

function base64Part(bytes: Buffer, short: boolean): Part {
  const kept = short ? bytes.subarray(0, (DEFAULT_JSON_CHARS / 4) * 3) : bytes;
  return { text: kept.toString('base64'), bytes: kept.length, lossy: false };
}

/** As much as stays within the default size of a result; always at least one character. */
function shortPart(bytes: Buffer): Part {
  let kept = bytes;
  for (;;) {
    const part = textPart(kept);
    const size = JSON.stringify(part.text).length;
    if (size <= DEFAULT_JSON_CHARS) return part;
    const shorter = kept.subarray(0, Math.floor((kept.length * DEFAULT_JSON_CHARS) / size) - MAX_UNFINISHED);
    kept = shorter.subarray(0, shorter.length - new Utf8Tail().push(shorter));
  }
}

function textPart(bytes: Buffer): Part {
  const { text, lossy } = cleanForModel(bytes);
  return { text, bytes: bytes.length, lossy };
}
