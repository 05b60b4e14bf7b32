// The end of a long byte stream, kept in memory under its absolute offsets.
import { appError } from '../../../src-shared/errors.ts';
import type { ByteStream } from '../sessions/port.ts';

const BLOCK_BYTES = 64 * 1024;

/** Keeps at least the last `keepBytes`; older bytes are dropped block by block. */
export class TailStream implements ByteStream {
  readonly #keepBlocks: number;
  readonly #listeners = new Set<() => void>();
  #blocks: Buffer[] = [];
  /** Offset of the first byte of the first block. */
  #start = 0;
  #length = 0;
  #ended = false;

  constructor(keepBytes: number) {
    this.#keepBlocks = Math.ceil(keepBytes / BLOCK_BYTES) + 1;
  }

  get length(): number {
    return this.#length;
  }

  get start(): number {
    return this.#start;
  }

  get ended(): boolean {
    return this.#ended;
  }

  append(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    for (let done = 0; done < bytes.length;) {
      const used = this.#length - this.#start - (this.#blocks.length - 1) * BLOCK_BYTES;
      const room = this.#blocks.length === 0 ? 0 : BLOCK_BYTES - used;
      const block = room === 0 ? this.#addBlock() : this.#blocks[this.#blocks.length - 1];
      const piece = bytes.subarray(done, done + (room === 0 ? BLOCK_BYTES : room));
      block?.set(piece, room === 0 ? 0 : used);
      done += piece.length;
      this.#length += piece.length;
    }
    this.#tell();
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#tell();
    this.#listeners.clear();
  }

  async read(offset: number, limit: number): Promise<Buffer> {
    if (offset < this.#start) {
      throw appError('STORAGE_ERROR', {
        message: `Output before byte ${this.#start} is no longer kept`,
        hint: 'Read on from the start that is named, or from a new snapshot.',
        details: { reason: 'dropped', start: this.#start },
      });
    }
    const end = Math.min(this.#length, offset + limit);
    const pieces: Buffer[] = [];
    for (let at = offset; at < end;) {
      const within = (at - this.#start) % BLOCK_BYTES;
      const piece = this.#blocks[Math.floor((at - this.#start) / BLOCK_BYTES)]?.subarray(within, within + end - at);
      if (piece === undefined || piece.length === 0) break;
      pieces.push(piece);
      at += piece.length;
    }
    // Always a copy: the block goes on being written.
    return Buffer.concat(pieces);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #addBlock(): Buffer {
    const block = Buffer.allocUnsafe(BLOCK_BYTES);
    this.#blocks.push(block);
    if (this.#blocks.length > this.#keepBlocks) {
      this.#blocks.shift();
      this.#start += BLOCK_BYTES;
    }
    return block;
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
