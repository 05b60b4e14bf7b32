// The Commands pane of a session as one stream: marks, headers and the output of all commands, as it came.
import { randomBytes } from 'node:crypto';
import type { StreamName } from '../../../src-shared/model/index.ts';
import { encodeMark } from '../../../src-shared/protocol/index.ts';
import { Utf8Tail } from '../utf8-tail.ts';
import type { ByteStream, Command } from './port.ts';
import { Segments } from './segments.ts';
import { STDERR_OFF, STDERR_ON, headerText, noteText, tidyText } from './transcript-text.ts';

const LINE_FEED = 0x0a;
const ESC = 0x1b;
const SHIFT_OUT = 0x0e;
/** First byte of a C1 control in UTF-8. */
const C1_LEAD = 0xc2;
/** Welcome text that is shown; a start-up file can print for ever. */
const NOISE_BYTES = 64 * 1024;
/** Late output of background jobs that is shown between two commands; it is kept in memory. */
const LATE_BYTES = 256 * 1024;

/** One stream of the command that runs: what is stored, and what of it is in the transcript. */
interface Progress {
  readonly tail: Utf8Tail;
  /** Bytes that are in the transcript. */
  shown: number;
  /** Bytes that the spool holds. */
  stored: number;
}

/** What was written since the last tidy end of a line. */
interface Flow {
  tinted: boolean;
  hadControls: boolean;
  endsLine: boolean;
}

interface Block {
  readonly command: Command;
  readonly streams: Readonly<Record<StreamName, Progress>>;
}

/** Spool once: output is referred to, not copied. A reader at any time gets the same bytes at the same offsets. */
export class Transcript implements ByteStream {
  /** Secret word of the marks: output cannot forge them. */
  readonly mark = randomBytes(12).toString('hex');
  readonly #segments = new Segments();
  readonly #listeners = new Set<() => void>();
  #block: Block | null = null;
  /** Blocks of durable commands that another command has come before; they go on when nothing else runs. */
  readonly #aside = new Map<string, Block>();
  #flow: Flow | null = null;
  #lateBytes = 0;
  #ended = false;

  get length(): number {
    return this.#segments.length;
  }

  get start(): number {
    return this.#segments.start;
  }

  get ended(): boolean {
    return this.#ended;
  }

  read(offset: number, limit: number): Promise<Buffer> {
    return this.#segments.read(offset, limit);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A command has started. */
  begin(command: Command): void {
    this.#setAside();
    this.#start(command, '');
    this.#block = { command, streams: { stdout: newProgress(), stderr: newProgress() } };
    this.#tell();
  }

  /** Output of the command that runs; stored in its spool at `offset` already. */
  output(command: Command, name: StreamName, bytes: Buffer, offset: number): void {
    if (this.#block === null) this.#goOn(command.id);
    const block = this.#block;
    if (block?.command.id !== command.id) return this.#keepBack(command.id, name, offset + bytes.length);
    const progress = block.streams[name];
    progress.stored = offset + bytes.length;
    // An unfinished character waits for its rest, so that the other stream cannot come in between.
    this.#show(block, name, progress.stored - progress.tail.push(bytes), bytes);
    this.#tell();
  }

  /** The command has ended. */
  end(command: Command): void {
    if (this.#block === null) this.#goOn(command.id);
    if (this.#block?.command.id !== command.id) return;
    this.#endBlock();
    this.#catchUp();
    this.#tell();
  }

  /** A line that Patchbay says, such as that the connection is lost. */
  note(text: string): void {
    if (this.#block === null) this.#tidy();
    else this.#rest(this.#block);
    const flow = this.#flow;
    this.#segments.addText((flow === null || flow.endsLine ? '' : '\n') + noteText(text));
    if (flow !== null) Object.assign(flow, { endsLine: true, tinted: false });
    this.#tell();
  }

  /** What start-up files printed. */
  noise(bytes: Buffer): void {
    this.#foreign('stdout', bytes.subarray(0, NOISE_BYTES));
    this.#tidy();
    this.#tell();
  }

  /** Output of background jobs while nothing runs. */
  late(name: StreamName, bytes: Buffer): void {
    if (this.#lateBytes >= LATE_BYTES) return;
    if (this.#lateBytes === 0) this.note('[background job]');
    this.#lateBytes += bytes.length;
    this.#foreign(name, bytes.subarray(0, LATE_BYTES));
    if (this.#lateBytes >= LATE_BYTES) this.note('[more output of background jobs is not shown]');
    this.#tell();
  }

  /** Forgets the block of a command that is gone; commands go in the order in which they came. */
  forget(commandId: string): void {
    this.#segments.drop(commandId);
  }

  close(): void {
    this.#endBlock();
    this.#aside.clear();
    this.#ended = true;
    this.#tell();
    this.#listeners.clear();
  }

  #start(command: Command, word: string): void {
    this.#tidy();
    const { commandId, workingDir, command: text } = command.view();
    this.#lateBytes = 0;
    this.#segments.addText(
      encodeMark(this.mark, { kind: 'start', commandId }) +
        headerText(workingDir, `${word}${text}`) +
        encodeMark(this.mark, { kind: 'output', commandId }),
      commandId,
    );
  }

  /** Another command begins: a block whose command has not ended makes room. */
  #setAside(): void {
    const block = this.#block;
    this.#endBlock();
    if (block !== null && block.command.view().endedAt === null) this.#aside.set(block.command.id, block);
  }

  /** Opens the block of a command again that was set aside, with what has come meanwhile. */
  #goOn(commandId: string): void {
    const block = this.#aside.get(commandId);
    if (block === undefined) return;
    this.#aside.delete(commandId);
    this.#start(block.command, 'goes on: ');
    this.#block = block;
    this.#rest(block);
  }

  #keepBack(commandId: string, name: StreamName, stored: number): void {
    const block = this.#aside.get(commandId);
    if (block !== undefined) block.streams[name].stored = stored;
  }

  /** What ended behind another command's block is shown whole. */
  #catchUp(): void {
    for (const { command } of [...this.#aside.values()]) {
      if (command.view().endedAt === null) continue;
      this.#goOn(command.id);
      this.#endBlock();
    }
  }

  #show(block: Block, name: StreamName, upTo: number, bytes: Buffer): void {
    const progress = block.streams[name];
    if (upTo <= progress.shown) return;
    const flow = this.#enter(name);
    this.#segments.addPart(block.command.id, block.command.stream(name), progress.shown, upTo - progress.shown);
    progress.shown = upTo;
    noteBytes(flow, bytes.subarray(0, bytes.length - (progress.stored - upTo)));
  }

  /** Shows what was held back. */
  #rest(block: Block): void {
    for (const name of ['stdout', 'stderr'] as const) {
      const progress = block.streams[name];
      if (progress.shown < progress.stored) this.#show(block, name, progress.stored, Buffer.of(0));
    }
  }

  #endBlock(): void {
    const block = this.#block;
    if (block === null) return;
    this.#rest(block);
    this.#tidy();
    this.#segments.addText(encodeMark(this.mark, { kind: 'end', commandId: block.command.id }));
    this.#block = null;
  }

  /** Bytes that are in no spool. */
  #foreign(name: StreamName, bytes: Buffer): void {
    if (this.#block !== null || bytes.length === 0) return;
    const flow = this.#enter(name);
    this.#segments.addText(Buffer.from(bytes));
    noteBytes(flow, bytes);
  }

  #enter(name: StreamName): Flow {
    const flow = (this.#flow ??= { tinted: false, hadControls: false, endsLine: true });
    const tinted = name === 'stderr';
    if (flow.tinted !== tinted) this.#segments.addText(tinted ? STDERR_ON : STDERR_OFF);
    flow.tinted = tinted;
    return flow;
  }

  #tidy(): void {
    if (this.#flow === null) return;
    this.#segments.addText(tidyText(this.#flow.hadControls, this.#flow.endsLine));
    this.#flow = null;
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

function newProgress(): Progress {
  return { tail: new Utf8Tail(), shown: 0, stored: 0 };
}

function noteBytes(flow: Flow, bytes: Buffer): void {
  if (bytes.length > 0) flow.endsLine = bytes[bytes.length - 1] === LINE_FEED;
  flow.hadControls ||= bytes.includes(ESC) || bytes.includes(SHIFT_OUT) || bytes.includes(C1_LEAD);
}
