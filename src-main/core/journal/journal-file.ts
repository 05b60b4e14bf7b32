// One file of the journal that is open for appending: begun cleanly, written whole, and known again when it was exchanged.
import { write } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { isMissing } from '../config/system-error.ts';
import { PRIVATE_FILE } from '../config/write-private.ts';

const NEWLINE = 0x0a;

/** How the file stands: ours still, or deleted, replaced or shortened by somebody else. */
export type FileState = 'ours' | 'gone' | 'shortened';

/** An open file. */
export interface JournalFile {
  /** Bytes, as far as we know. */
  readonly size: number;
  /** Appends all of it. Rejects with a {@link CutShort} that says how much went in. */
  append(bytes: Buffer): Promise<void>;
  /** Looks at the path: whoever deletes or moves a file leaves us writing into nothing. */
  check(): Promise<FileState>;
  /** What was written since the last check that found the file ours; from a file that is gone, too. */
  sinceCheck(): Promise<Buffer>;
  close(): Promise<void>;
}

/** A write that the disk ended half-way. */
export class CutShort extends Error {
  constructor(
    /** Bytes of whole lines that are in the file. */
    readonly kept: number,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Opens or makes the file; a line that a kill has cut is ended, so that the next one stands on its own. */
export async function openJournalFile(file: string): Promise<JournalFile> {
  const handle = await open(file, 'a+', PRIVATE_FILE);
  try {
    const found = await handle.stat();
    let { size } = found;
    if (size > 0 && !(await endsWithNewline(handle, size))) {
      await handle.appendFile('\n');
      size += 1;
    }
    return new OpenFile({ file, handle, size, dev: found.dev, ino: found.ino });
  } catch (error) {
    await handle.close().catch(() => undefined);
    throw error;
  }
}

interface Opened {
  readonly file: string;
  readonly handle: FileHandle;
  readonly size: number;
  readonly dev: number;
  readonly ino: number;
}

class OpenFile implements JournalFile {
  readonly #opened: Opened;
  #size: number;
  #checkedAt: number;

  constructor(opened: Opened) {
    this.#opened = opened;
    this.#size = opened.size;
    this.#checkedAt = opened.size;
  }

  get size(): number {
    return this.#size;
  }

  async append(bytes: Buffer): Promise<void> {
    const progress = { written: 0 };
    try {
      await writeWhole(this.#opened.handle.fd, bytes, progress);
    } catch (error) {
      const kept = bytes.lastIndexOf(NEWLINE, progress.written - 1) + 1;
      const whole = progress.written === 0 ? 0 : kept;
      // Without the torn line, where the disk allows that much.
      await this.#opened.handle.truncate(this.#size + whole).catch(() => undefined);
      throw new CutShort(whole, error);
    }
    this.#size += bytes.length;
  }

  async check(): Promise<FileState> {
    const { file, dev, ino } = this.#opened;
    const found = await stat(file).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (found === undefined || found.dev !== dev || found.ino !== ino) return 'gone';
    const shortened = found.size < this.#size;
    this.#size = found.size;
    this.#checkedAt = found.size;
    return shortened ? 'shortened' : 'ours';
  }

  async sinceCheck(): Promise<Buffer> {
    const bytes = Buffer.alloc(Math.max(0, this.#size - this.#checkedAt));
    const { bytesRead } = await this.#opened.handle.read(bytes, 0, bytes.length, this.#checkedAt);
    return bytes.subarray(0, bytesRead);
  }

  async close(): Promise<void> {
    await this.#opened.handle.close();
  }
}

/** Writes all of it; the plain call costs a tenth of a file handle's own, and it is paid for every command. */
function writeWhole(fd: number, bytes: Buffer, progress: { written: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    write(fd, bytes, (error, written) => {
      if (error !== null) return reject(error);
      progress.written += written;
      if (written === bytes.length) resolve();
      else writeWhole(fd, bytes.subarray(written), progress).then(resolve, reject);
    });
  });
}

async function endsWithNewline(handle: FileHandle, size: number): Promise<boolean> {
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === NEWLINE;
}
