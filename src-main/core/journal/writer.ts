// Writes the journal in order, and keeps what cannot be written until it can be: a full disk costs time, no events.
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { JournalEvent } from '../../../src-shared/model/index.ts';
import { ensurePrivateFolder } from '../config/data-dir.ts';
import { errorCode, isMissing, reasonOf } from '../config/system-error.ts';
import { CutShort, openJournalFile } from './journal-file.ts';
import type { JournalFile } from './journal-file.ts';

/** Bytes after which a new file is begun; a new day begins one, too. */
const FILE_BYTES = 32 * 1024 * 1024;
/** Milliseconds between two looks whether the file is where it was, and between two attempts after a fault. */
const LOOK_MS = 2_000;
/** Bytes that wait in memory for the disk; what comes then is lost, and that is told. */
const KEPT_BYTES = 16 * 1024 * 1024;
const NOTHING = Buffer.alloc(0);

/** What the writer gets. */
export interface WriterOptions {
  /** The folder `journal` of the data folder; made when missing. */
  readonly folder: string;
  /** Told once per fault, in a sentence for a person. */
  readonly onFault: (text: string) => void;
  /** Told when what was at fault is written again. */
  readonly onBack?: (text: string) => void;
  /** Bytes of one file; only tests give it, as all below. */
  readonly fileBytes?: number;
  readonly keptBytes?: number;
  readonly lookMs?: number;
  /** Epoch milliseconds. */
  readonly now?: () => number;
}

/** Writes in order; what comes while a write is under way goes out together with the next one. */
export class JournalWriter {
  readonly #options: WriterOptions;
  readonly #timer: NodeJS.Timeout;
  #waiting: string[] = [];
  #next: Promise<void> | undefined;
  #work: Promise<void> = Promise.resolve();
  #file: JournalFile | undefined;
  #day = '';
  /** Whole lines that could not be written yet. */
  #kept: Buffer = NOTHING;
  #lost = 0;
  #faulty = false;
  #lookDue = false;
  #closed = false;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#look(), options.lookMs ?? LOOK_MS).unref();
  }

  /** Resolves when the event is with the operating system, or kept after a fault. Never rejects. */
  append(event: JournalEvent): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#waiting.push(`${JSON.stringify(event)}\n`);
    return this.#schedule();
  }

  async settled(): Promise<void> {
    await this.#work;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#work;
    if (this.#kept.length > 0) await this.#schedule();
    this.#forget(this.#kept);
    if (this.#lost > 0)
      this.#options.onFault(`The journal could not be written to its end: ${events(this.#lost)} lost`);
    await this.#letGo();
  }

  #schedule(): Promise<void> {
    this.#next ??= this.#work = this.#work.then(() => this.#writeWaiting());
    return this.#next;
  }

  #look(): void {
    this.#lookDue = true;
    if (this.#file !== undefined || this.#kept.length > 0) void this.#schedule();
  }

  async #writeWaiting(): Promise<void> {
    const text = this.#waiting.join('');
    this.#waiting = [];
    this.#next = undefined;
    let bytes = this.#kept.length === 0 ? Buffer.from(text) : Buffer.concat([this.#kept, Buffer.from(text)]);
    this.#kept = NOTHING;
    try {
      if (this.#lookDue) bytes = Buffer.concat([await this.#rescued(), bytes]);
      if (bytes.length > 0) await this.#write(bytes);
      this.#recovered();
    } catch (error) {
      await this.#letGo();
      this.#keep(error instanceof CutShort ? bytes.subarray(error.kept) : bytes);
      this.#report(error instanceof CutShort ? error.cause : error);
    }
  }

  async #write(bytes: Buffer): Promise<void> {
    const day = new Date((this.#options.now ?? Date.now)()).toISOString().slice(0, 10);
    const limit = this.#options.fileBytes ?? FILE_BYTES;
    if (this.#file !== undefined && (day !== this.#day || this.#file.size > limit)) await this.#letGo();
    this.#file ??= await this.#open(day);
    await this.#file.append(bytes);
  }

  async #open(day: string): Promise<JournalFile> {
    // Somebody may have tidied up since the start.
    await ensurePrivateFolder(this.#options.folder);
    const file = await openJournalFile(path.join(this.#options.folder, await this.#fileFor(day)));
    this.#day = day;
    return file;
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

  /** What went into a file that is not there any more, since it was last seen; empty while all is well. */
  async #rescued(): Promise<Buffer> {
    this.#lookDue = false;
    const state = (await this.#file?.check()) ?? 'ours';
    if (state === 'shortened')
      this.#options.onFault('The journal was shortened by another program while Patchbay runs');
    if (state !== 'gone') return NOTHING;
    const bytes = (await this.#file?.sinceCheck()) ?? NOTHING;
    await this.#letGo();
    this.#options.onFault('The journal was deleted or moved while Patchbay runs; a new file is begun');
    return bytes;
  }

  async #letGo(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    // A disk that fails at this has failed at the writing before, which is told.
    await file?.close().catch(() => undefined);
  }

  #keep(bytes: Buffer): void {
    const limit = this.#options.keptBytes ?? KEPT_BYTES;
    const cut = bytes.length <= limit ? bytes.length : bytes.lastIndexOf(0x0a, limit - 1) + 1;
    this.#kept = Buffer.from(bytes.subarray(0, cut));
    const before = this.#lost;
    this.#forget(bytes.subarray(cut));
    if (before === 0 && this.#lost > 0) {
      this.#options.onFault('The journal could not be written for so long that events are being lost');
    }
  }

  /** Counts the lines that nobody will write. */
  #forget(bytes: Buffer): void {
    for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) this.#lost += 1;
  }

  #recovered(): void {
    if (!this.#faulty) return;
    this.#faulty = false;
    const lost = this.#lost === 0 ? 'nothing is lost' : `${events(this.#lost)} lost`;
    this.#lost = 0;
    this.#options.onBack?.(`The journal is written again; ${lost}`);
  }

  #report(error: unknown): void {
    if (this.#faulty) return;
    this.#faulty = true;
    const known = errorCode(error) === undefined ? undefined : reasonOf(error);
    const reason = known ?? (error instanceof Error ? error.message : String(error));
    this.#options.onFault(`The journal cannot be written: ${reason}. Events wait in memory until it can be`);
  }
}

const events = (count: number): string => (count === 1 ? 'one event is' : `${count} events are`);

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}
