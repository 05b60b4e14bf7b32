// Sends one stream to one view: history, then live, never further ahead than the view has drawn, skipping when it is slow.
import { encodeFrame } from '../../src-shared/protocol/index.ts';
import type { FrameKind } from '../../src-shared/protocol/index.ts';
import type { ByteStream } from '../core/sessions/port.ts';

/** Bytes per frame; smaller ones cost the emulator up to 40 % (measured). */
const FRAME_BYTES = 128 * 1024;
/** Where a line may begin after a skip is looked for within this many bytes. */
const LINE_SEARCH_BYTES = 64 * 1024;

/** How far a view may fall behind, per kind of stream; all in bytes. */
export interface Pace {
  /** Sent, but not drawn yet. */
  readonly ahead: number;
  /** Stored, but not sent yet: beyond this the view skips. */
  readonly behind: number;
  /** How much before the end a stream starts, and goes on after a skip. */
  readonly history: number;
}

const MIB = 1024 * 1024;

/** A burst of a few MiB is drawn whole, a flood is not. */
export const COMMANDS_PACE: Pace = { ahead: MIB, behind: 8 * MIB, history: 4 * MIB };
/** A terminal shows a screen, so what has scrolled by is worth less than a quick Ctrl+C. */
export const TERMINAL_PACE: Pace = { ahead: MIB / 2, behind: MIB, history: MIB };

/** The state of a terminal at an offset, as bytes that draw it. */
export interface Drawing {
  readonly bytes: Uint8Array;
  readonly offset: number;
}

/** What a stream needs from its view and source. */
export interface StreamOptions {
  readonly id: number;
  readonly source: ByteStream;
  readonly pace: Pace;
  /** A drawing of the present state; null where a stream can be read from any line on. */
  readonly snapshot: (() => Promise<Drawing>) | null;
  readonly send: (frame: Uint8Array) => void;
  /** The stream left out `bytes` and goes on at `offset`. */
  readonly skipped: (offset: number, bytes: number) => void;
  readonly ended: () => void;
  /** Reading failed; nothing more will come. */
  readonly failed: (error: unknown) => void;
}

/** One open stream of a view. */
export class ViewStream {
  readonly #options: StreamOptions;
  #unsubscribe = () => {};
  /** Everything before was sent. */
  #sent: number;
  /** Everything before was drawn. */
  #drawn: number;
  #pumping = false;
  /** Something happened since the pump looked. */
  #again = false;
  #closed = false;

  constructor(options: StreamOptions, offset: number) {
    this.#options = options;
    this.#sent = offset;
    this.#drawn = offset;
  }

  /** Begins to send; with a drawing of the state where the stream needs one. */
  start(drawing: Drawing | null): void {
    if (this.#closed) return;
    this.#unsubscribe = this.#options.source.onChange(() => this.#wake());
    if (drawing !== null) this.#draw(drawing);
    this.#wake();
  }

  /** The view has drawn everything before `offset`. */
  ack(offset: number): void {
    this.#drawn = Math.max(this.#drawn, Math.min(offset, this.#sent));
    this.#wake();
  }

  close(): void {
    this.#closed = true;
    this.#unsubscribe();
  }

  #wake(): void {
    this.#again = true;
    if (this.#pumping || this.#closed) return;
    this.#pumping = true;
    void this.#pump();
  }

  /** Never rejects. The flag falls in the same turn as the last look, so that no wake gets lost. */
  async #pump(): Promise<void> {
    try {
      while (this.#again && !this.#closed) {
        this.#again = false;
        while (await this.#step());
      }
      if (this.#options.source.ended && this.#sent >= this.#options.source.length) this.#end();
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#pumping = false;
    }
  }

  /** One frame, or one skip; false when there is nothing to do before the next wake. */
  async #step(): Promise<boolean> {
    if (this.#closed) return false;
    const { source, pace } = this.#options;
    const waiting = source.length - this.#sent;
    if (waiting <= 0) return false;
    if (waiting > pace.behind || this.#sent < (source.start ?? 0)) {
      // What was sent is drawn first; so a view never has more than `ahead` waiting, however often it skips.
      if (this.#drawn < this.#sent) return false;
      await this.#skip();
      return true;
    }
    const room = pace.ahead - (this.#sent - this.#drawn);
    if (room <= 0) return false;
    const bytes = await source.read(this.#sent, Math.min(FRAME_BYTES, room));
    if (this.#closed || bytes.byteLength === 0) return false;
    this.#frame('bytes', this.#sent, bytes);
    this.#sent += bytes.byteLength;
    return true;
  }

  async #skip(): Promise<void> {
    const { source, pace, snapshot, skipped } = this.#options;
    const from = this.#sent;
    const drawing = snapshot === null ? null : await snapshot();
    const offset = drawing === null ? await lineStart(source, source.length - pace.history) : drawing.offset;
    if (this.#closed) return;
    skipped(offset, offset - from);
    if (drawing !== null) return this.#draw(drawing);
    this.#sent = offset;
    this.#drawn = offset;
  }

  #draw({ bytes, offset }: Drawing): void {
    this.#sent = offset;
    this.#drawn = offset;
    this.#frame('snapshot', offset, bytes);
  }

  #frame(kind: FrameKind, offset: number, bytes: Uint8Array): void {
    this.#options.send(encodeFrame({ kind, streamId: this.#options.id, offset, bytes }));
  }

  #end(): void {
    if (this.#closed) return;
    this.close();
    this.#options.ended();
  }

  #fail(error: unknown): void {
    if (this.#closed) return;
    this.close();
    this.#options.failed(error);
  }
}

/**
 * The first start of a line at or after `offset`, so that no character and no control sequence is cut; the start of what
 * the source still has where that comes later.
 */
export async function lineStart(source: ByteStream, offset: number): Promise<number> {
  const first = source.start ?? 0;
  if (offset <= first) return first;
  const bytes = await source.read(offset - 1, LINE_SEARCH_BYTES);
  const newline = bytes.indexOf(0x0a);
  return newline === -1 ? offset : offset + newline;
}
