// Keeps the output of one stream: in memory while it is small, then in a file, readable at any offset while it grows.
import type { FileHandle } from 'node:fs/promises';
import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { appError } from '../../../src-shared/errors.ts';
import type { AppError } from '../../../src-shared/errors.ts';
import type { StreamName } from '../../../src-shared/model/index.ts';
import type { ByteStream } from '../sessions/port.ts';
import type { DiskGuard } from './disk-guard.ts';

/** Up to here a stream stays in memory; most commands never touch the disk. */
const MEMORY_BYTES = 256 * 1024;
/** One write to the file at most. */
const WRITE_BYTES = 1024 ** 2;
/** With more than this waiting for the disk, the sender has to be paused. */
const FULL_BYTES = 4 * 1024 ** 2;

/** What a spool is made from. */
export interface SpoolOptions {
  /** Absolute path, created with mode 0600 only when the stream outgrows memory. */
  readonly file: string;
  readonly guard: DiskGuard;
  /** Called once when bytes can no longer be stored: what is stored stays readable, what follows is not kept. */
  readonly onFault: (error: AppError) => void;
  readonly memoryBytes?: number;
}

/** A stream that is being written; see {@link createSpool}. */
export interface Spool extends ByteStream {
  /** Stores a piece and returns its offset, or null when it could not be kept (after a fault). */
  append(bytes: Buffer): number | null;
  /** More waits for the disk than memory should hold: pause the sender until {@link drained}. */
  readonly full: boolean;
  /** Resolves when the spool is not full. */
  drained(): Promise<void>;
  /** Nothing will be added. */
  end(): void;
  /** Closes and removes the file; reads reject from then on. */
  remove(): Promise<void>;
}

/** Makes an empty spool. */
export function createSpool(options: SpoolOptions): Spool {
  return new FileSpool(options);
}

/** The two spools of a command, as files `<id>.out` and `<id>.err` of a folder. */
export function createSpools(
  folder: string,
  id: string,
  options: Omit<SpoolOptions, 'file'>,
): Readonly<Record<StreamName, Spool>> {
  const spool = (end: string): Spool => createSpool({ ...options, file: path.join(folder, `${id}.${end}`) });
  return { stdout: spool('out'), stderr: spool('err') };
}

class FileSpool implements Spool {
  readonly #options: SpoolOptions;
  /** Bytes from `#stored` on, in pieces, oldest first. */
  #pieces: Buffer[] = [];
  #length = 0;
  /** Bytes that are in the file. */
  #stored = 0;
  #ended = false;
  #removed = false;
  #fault: AppError | null = null;
  #file: FileHandle | null = null;
  #writing: Promise<void> | null = null;
  readonly #listeners = new Set<() => void>();
  readonly #waiting = new Set<() => void>();

  constructor(options: SpoolOptions) {
    this.#options = options;
  }

  get length(): number {
    return this.#length;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get full(): boolean {
    return this.#fault === null && this.#length - this.#stored > FULL_BYTES;
  }

  append(bytes: Buffer): number | null {
    if (this.#ended || this.#removed || this.#fault !== null) return null;
    const offset = this.#length;
    // A small view of a large packet would keep the whole packet alive.
    this.#pieces.push(bytes.length * 2 < bytes.buffer.byteLength ? Buffer.from(bytes) : bytes);
    this.#length += bytes.length;
    if (this.#file !== null || this.#length > (this.#options.memoryBytes ?? MEMORY_BYTES)) this.#write();
    this.#tell();
    return offset;
  }

  drained(): Promise<void> {
    if (!this.full || this.#removed) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#tell();
  }

  async read(offset: number, limit: number): Promise<Buffer> {
    if (this.#removed) throw appError('STORAGE_ERROR', { message: 'The output of this command is no longer kept' });
    const end = Math.min(this.#length, offset + limit);
    if (offset >= end) return Buffer.alloc(0);
    // What is in memory is copied now: a write that ends meanwhile moves the border.
    const memoryFrom = Math.min(end, Math.max(offset, this.#stored));
    const tail = memoryFrom < end ? this.#fromMemory(memoryFrom, end) : Buffer.alloc(0);
    if (offset >= memoryFrom) return tail;
    const head = await this.#fromFile(offset, memoryFrom);
    return Buffer.concat([head, tail]);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async remove(): Promise<void> {
    this.#removed = true;
    this.#ended = true;
    this.#wake();
    this.#listeners.clear();
    await this.#writing;
    const file = this.#file;
    this.#file = null;
    this.#pieces = [];
    if (file === null) return;
    await file.close();
    await rm(this.#options.file, { force: true });
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  #fromMemory(from: number, end: number): Buffer {
    const parts: Buffer[] = [];
    let at = this.#stored;
    for (const piece of this.#pieces) {
      if (at >= end) break;
      if (at + piece.length > from) parts.push(piece.subarray(Math.max(0, from - at), end - at));
      at += piece.length;
    }
    return Buffer.concat(parts);
  }

  async #fromFile(from: number, end: number): Promise<Buffer> {
    const bytes = Buffer.alloc(end - from);
    let done = 0;
    try {
      while (done < bytes.length) {
        const { bytesRead } = (await this.#file?.read(bytes, done, bytes.length - done, from + done)) ?? {
          bytesRead: 0,
        };
        if (bytesRead === 0) throw new Error('the spool file is shorter than it should be');
        done += bytesRead;
      }
    } catch (cause) {
      throw appError('STORAGE_ERROR', { message: 'The stored output cannot be read', cause });
    }
    return bytes;
  }

  #write(): void {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null;
      // What came after the writer's last look would wait for the next piece, which may never come.
      if (this.#pieces.length > 0 && this.#fault === null && !this.#removed) this.#write();
    });
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#pieces.length > 0 && !this.#removed) {
        const batch = this.#nextBatch();
        const size = batch.reduce((sum, piece) => sum + piece.length, 0);
        if (!(await this.#options.guard.allows(size))) throw tooFull();
        await this.#store(batch, size);
      }
    } catch (error) {
      this.#fail(error);
    }
    if (!this.full) this.#wake();
  }

  async #store(batch: readonly Buffer[], size: number): Promise<void> {
    this.#file ??= await open(this.#options.file, 'wx+', 0o600);
    const bytes = batch.length === 1 && batch[0] !== undefined ? batch[0] : Buffer.concat(batch, size);
    let done = 0;
    while (done < size) done += (await this.#file.write(bytes, done, size - done, this.#stored + done)).bytesWritten;
    this.#pieces.splice(0, batch.length);
    this.#stored += size;
    if (!this.full) this.#wake();
  }

  #nextBatch(): readonly Buffer[] {
    const batch: Buffer[] = [];
    let size = 0;
    for (const piece of this.#pieces) {
      if (size > 0 && size + piece.length > WRITE_BYTES) break;
      batch.push(piece);
      size += piece.length;
    }
    return batch;
  }

  /** What waits stays readable from memory; nothing more is taken. */
  #fail(cause: unknown): void {
    const fault = appError('STORAGE_ERROR', {
      message: 'The output could not be stored, so the command was stopped; what was stored stays readable',
      details: { reason: cause instanceof DiskFullError ? 'disk-guard' : 'write-failed' },
      cause,
    });
    this.#fault = fault;
    this.#wake();
    this.#options.onFault(fault);
  }
}

/** Too little would be left on the disk. */
class DiskFullError extends Error {}

function tooFull(): Error {
  return new DiskFullError('less than 5 % or 1 GiB of the disk would be left');
}
