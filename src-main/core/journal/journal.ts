// The journal: what happened, one JSON line per event, append-only, kept across restarts.
import { write } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { JournalEvent } from '../../../src-shared/model/index.ts';
import { ensurePrivateFolder } from '../config/data-dir.ts';
import { isMissing } from '../config/system-error.ts';
import { PRIVATE_FILE } from '../config/write-private.ts';
import type { Journal } from '../core.ts';
import { searchJournal } from './search.ts';

/** Bytes after which a new file is begun; a new day begins one, too. */
const FILE_BYTES = 32 * 1024 * 1024;

/** What openJournal gets. */
export interface JournalOptions {
  /** The folder `journal` of the data folder; made when missing. */
  readonly folder: string;
  /** Told once per fault, in a sentence for a person; events that could not be stored are lost. */
  readonly onFault: (text: string) => void;
  /** Bytes of one file; only tests give it. */
  readonly fileBytes?: number;
  /** Epoch milliseconds; only tests give it. */
  readonly now?: () => number;
}

/** Opens the journal. Rejects when the folder cannot be made. */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  await ensurePrivateFolder(options.folder);
  const writer = new Writer(options);
  return {
    append: (event) => writer.append(event),
    async search(query) {
      await writer.settled();
      return searchJournal(options.folder, query);
    },
    close: () => writer.close(),
  };
}

/** Writes in order; what comes while a write is under way goes out together with the next one. */
class Writer {
  readonly #options: JournalOptions;
  #waiting: string[] = [];
  #next: Promise<void> | undefined;
  #work: Promise<void> = Promise.resolve();
  #handle: FileHandle | undefined;
  #day = '';
  #size = 0;
  #faulty = false;
  #closed = false;

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  append(event: JournalEvent): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#waiting.push(`${JSON.stringify(event)}\n`);
    this.#next ??= this.#work = this.#work.then(() => this.#writeWaiting());
    return this.#next;
  }

  async settled(): Promise<void> {
    await this.#work;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#work;
    await this.#handle?.close();
    this.#handle = undefined;
  }

  async #writeWaiting(): Promise<void> {
    const text = this.#waiting.join('');
    this.#waiting = [];
    this.#next = undefined;
    try {
      await this.#write(text);
      this.#faulty = false;
    } catch (error) {
      await this.#handle?.close().catch(() => undefined);
      this.#handle = undefined;
      this.#report(error);
    }
  }

  async #write(text: string): Promise<void> {
    const day = new Date((this.#options.now ?? Date.now)()).toISOString().slice(0, 10);
    if (this.#handle !== undefined && (day !== this.#day || this.#size > (this.#options.fileBytes ?? FILE_BYTES))) {
      await this.#handle.close();
      this.#handle = undefined;
    }
    this.#handle ??= await this.#open(day);
    const bytes = Buffer.from(text);
    await writeWhole(this.#handle.fd, bytes);
    this.#size += bytes.length;
  }

  async #open(day: string): Promise<FileHandle> {
    const file = path.join(this.#options.folder, await this.#fileFor(day));
    const handle = await open(file, 'a+', PRIVATE_FILE);
    try {
      const { size } = await handle.stat();
      // A kill may have cut the last line: the next event starts on a line of its own.
      if (size > 0 && !(await endsWithNewline(handle, size))) await handle.appendFile('\n');
      this.#day = day;
      this.#size = size;
      return handle;
    } catch (error) {
      await handle.close().catch(() => undefined);
      throw error;
    }
  }

  /** The last file of the day while it has room, else the next number. */
  async #fileFor(day: string): Promise<string> {
    const last = (await readdir(this.#options.folder))
      .filter((name) => name.startsWith(`${day}-`))
      .toSorted()
      .at(-1);
    if (last === undefined) return `${day}-0000.jsonl`;
    const size = await sizeOf(path.join(this.#options.folder, last));
    if (size <= (this.#options.fileBytes ?? FILE_BYTES)) return last;
    const number = Number(last.slice(day.length + 1, day.length + 5)) + 1;
    return `${day}-${String(number).padStart(4, '0')}.jsonl`;
  }

  #report(error: unknown): void {
    if (this.#faulty) return;
    this.#faulty = true;
    const reason = error instanceof Error ? error.message : String(error);
    this.#options.onFault(`The journal cannot be written, events are being lost: ${reason}`);
  }
}

/** Writes all of it; the plain call costs a tenth of a file handle's own, and it is paid for every command. */
function writeWhole(fd: number, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    write(fd, bytes, (error, written) => {
      if (error !== null) reject(error);
      else if (written === bytes.length) resolve();
      else writeWhole(fd, bytes.subarray(written)).then(resolve, reject);
    });
  });
}

async function endsWithNewline(handle: FileHandle, size: number): Promise<boolean> {
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === 0x0a;
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}
