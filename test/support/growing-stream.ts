// A ByteStream in memory that a test lets grow, for readers that need no real spool.
import { Emitter } from '../../src-main/core/emitter.ts';
import type { ByteStream } from '../../src-main/core/sessions/port.ts';

/** A stream that the test appends to. */
export class GrowingStream implements ByteStream {
  ended = false;
  #bytes = Buffer.alloc(0);
  readonly #events = new Emitter<{ change: undefined }>();
  /** Reads so far. */
  reads = 0;
  /** What comes before can no longer be read. */
  start = 0;

  get length(): number {
    return this.#bytes.length;
  }

  append(bytes: Uint8Array | string): void {
    this.#bytes = Buffer.concat([this.#bytes, Buffer.from(bytes)]);
    this.#events.emit('change', undefined);
  }

  end(): void {
    this.ended = true;
    this.#events.emit('change', undefined);
  }

  read(offset: number, limit: number): Promise<Buffer> {
    this.reads += 1;
    if (offset < this.start) return Promise.reject(new Error(`${offset} was dropped`));
    return Promise.resolve(Buffer.from(this.#bytes.subarray(offset, offset + limit)));
  }

  onChange(listener: () => void): () => void {
    return this.#events.on('change', listener);
  }
}
