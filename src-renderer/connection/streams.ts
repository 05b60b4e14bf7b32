// Byte streams from the gateway: asks for them, puts frames in order, goes on after a loss where it stopped.
import type { EventPayload, StreamFrame } from '../../src-shared/protocol/index.ts';
import type { Call } from './calls.ts';

/** What the gateway said when it opened a stream. */
export interface StreamStart {
  readonly mark: string;
  readonly cols: number;
  readonly rows: number;
}

/** Where the bytes of a stream go. */
export interface StreamSink {
  /** A stream begins, or goes on after a loss. */
  opened(start: StreamStart): void;
  /** Forget everything drawn: what comes next starts anew. */
  reset(): void;
  /** Draws; calls `drawn` when it has. */
  write(bytes: Uint8Array, drawn: () => void): void;
  /** This many bytes were left out here. */
  skipped(bytes: number): void;
  ended(): void;
  failed(error: unknown): void;
}

/** Which stream. */
export interface StreamAddress {
  readonly session: string;
  readonly lane: 'commands' | 'terminal';
}

/** Bytes drawn between two acknowledgements; the gateway lets 1 MiB be under way. */
const ACK_STEP_BYTES = 128 * 1024;
/** Frames that may come before the answer that names their stream was handled. */
const MAX_EARLY_FRAMES = 64;

/** One open stream of this view, over all reconnects. */
class ViewStream {
  readonly address: StreamAddress;
  readonly sink: StreamSink;
  id: number | undefined;
  closed = false;
  #received = 0;
  #started = false;
  #acked = 0;
  #mark = '';
  readonly #ack: (id: number, offset: number) => void;

  constructor(address: StreamAddress, sink: StreamSink, ack: (id: number, offset: number) => void) {
    this.address = address;
    this.sink = sink;
    this.#ack = ack;
  }

  /** Where to go on; undefined to start with what the gateway keeps. A terminal always starts with a drawing. */
  get resumeAt(): number | undefined {
    return this.#started && this.address.lane === 'commands' ? this.#received : undefined;
  }

  /** False: this is another transcript under the same name, so start again. */
  begin(id: number, offset: number, start: StreamStart): boolean {
    if (this.resumeAt !== undefined && start.mark !== this.#mark) {
      this.#started = false;
      return false;
    }
    if (this.resumeAt === undefined) {
      this.sink.reset();
      // A transcript counts from its first byte, so that history left out by the gateway shows as a gap.
      this.#received = this.address.lane === 'commands' ? 0 : offset;
    }
    this.id = id;
    this.#acked = offset;
    this.#started = true;
    this.#mark = start.mark;
    this.sink.opened(start);
    return true;
  }

  frame(frame: StreamFrame): void {
    if (frame.kind === 'snapshot') {
      this.sink.reset();
      this.#received = frame.offset;
      this.sink.write(frame.bytes, () => this.#drawn(frame.streamId, frame.offset, true));
      return;
    }
    const end = frame.offset + frame.bytes.byteLength;
    if (end <= this.#received) return;
    if (frame.offset > this.#received) this.sink.skipped(frame.offset - this.#received);
    const fresh = frame.bytes.subarray(Math.max(0, this.#received - frame.offset));
    this.#received = end;
    this.sink.write(fresh, () => this.#drawn(frame.streamId, end, false));
  }

  skip(offset: number): void {
    if (offset <= this.#received) return;
    this.sink.skipped(offset - this.#received);
    this.#received = offset;
  }

  #drawn(id: number, offset: number, now: boolean): void {
    if (id !== this.id || this.closed) return;
    if (!now && offset < this.#received && offset - this.#acked < ACK_STEP_BYTES) return;
    this.#acked = offset;
    this.#ack(id, offset);
  }
}

/** All streams of this view. */
export class Streams {
  readonly #call: Call;
  readonly #open = new Set<ViewStream>();
  readonly #early = new Map<number, StreamFrame[]>();
  #online = false;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Opens a stream now, and again after each loss, until `close`. */
  open(address: StreamAddress, sink: StreamSink): { close(): void } {
    const stream = new ViewStream(address, sink, (streamId, offset) => {
      // A lost acknowledgement goes with its line; the stream is opened anew then.
      this.#call('stream.ack', { streamId, offset }).catch(() => undefined);
    });
    this.#open.add(stream);
    if (this.#online) this.#start(stream);
    return { close: () => this.#close(stream) };
  }

  online(): void {
    this.#online = true;
    for (const stream of this.#open) this.#start(stream);
  }

  offline(): void {
    this.#online = false;
    this.#early.clear();
    for (const stream of this.#open) stream.id = undefined;
  }

  frame(frame: StreamFrame): void {
    const stream = this.#byId(frame.streamId);
    if (stream !== undefined) return stream.frame(frame);
    const early = this.#early.get(frame.streamId) ?? [];
    if (early.length < MAX_EARLY_FRAMES) early.push(frame);
    this.#early.set(frame.streamId, early);
    return undefined;
  }

  skipped(event: EventPayload<'stream.skipped'>): void {
    this.#byId(event.streamId)?.skip(event.offset);
  }

  ended(event: EventPayload<'stream.ended'>): void {
    this.#byId(event.streamId)?.sink.ended();
  }

  #byId(id: number): ViewStream | undefined {
    for (const stream of this.#open) if (stream.id === id) return stream;
    return undefined;
  }

  #start(stream: ViewStream): void {
    const fromOffset = stream.resumeAt;
    const input = fromOffset === undefined ? stream.address : { ...stream.address, fromOffset };
    this.#call('stream.open', input).then(
      (answer) => this.#opened(stream, answer),
      (error: unknown) => {
        if (!stream.closed && this.#online) stream.sink.failed(error);
      },
    );
  }

  #opened(stream: ViewStream, answer: StreamStart & { readonly streamId: number; readonly offset: number }): void {
    if (stream.closed) return this.#release(answer.streamId);
    if (!stream.begin(answer.streamId, answer.offset, answer)) {
      this.#release(answer.streamId);
      return this.#start(stream);
    }
    const early = this.#early.get(answer.streamId) ?? [];
    this.#early.delete(answer.streamId);
    for (const frame of early) stream.frame(frame);
    return undefined;
  }

  #close(stream: ViewStream): void {
    stream.closed = true;
    this.#open.delete(stream);
    if (stream.id !== undefined) this.#release(stream.id);
  }

  #release(streamId: number): void {
    this.#early.delete(streamId);
    // When the line is gone the gateway has closed the stream already.
    this.#call('stream.close', { streamId }).catch(() => undefined);
  }
}
