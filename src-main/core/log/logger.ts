// The log: one JSON object a line, to a rotating file and, where asked, to stderr.
import { open, rename, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { ensurePrivateFolder } from '../config/data-dir.ts';
import { isMissing } from '../config/system-error.ts';
import { PRIVATE_FILE } from '../config/write-private.ts';
import type { Log, SecretNet } from '../core.ts';

/** How much a line matters, least first. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Bytes after which a new file is begun. */
const FILE_BYTES = 5 * 1024 * 1024;
/** Files kept beside the current one. */
const OLD_FILES = 4;
/** Milliseconds that lines below `warn` may wait for company: one write for many lines leaves the disk and the loop in peace. */
const GATHER_MS = 50;
/** Bytes that may wait for the disk; what comes then is counted and left out. */
const WAITING_BYTES = 4 * 1024 * 1024;

/** What createLog gets. */
export interface LogOptions {
  /** Folder of `patchbay.log`; made when missing. */
  readonly folder: string;
  readonly level: LogLevel;
  readonly secrets: SecretNet;
  /** Gets each line too; stderr of a headless program. */
  readonly echo?: (line: string) => void;
  /** Bytes of one file; only tests give it. */
  readonly fileBytes?: number;
}

/** A log that can be closed. */
export interface OpenLog extends Log {
  /** Resolves when everything so far is with the operating system. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the log. A disk that fails later costs lines, never the program. */
export async function createLog(options: LogOptions): Promise<OpenLog> {
  await ensurePrivateFolder(options.folder);
  const file = new RotatingFile(path.join(options.folder, 'patchbay.log'), options.fileBytes ?? FILE_BYTES);
  const write = (level: LogLevel, message: string, details: Readonly<Record<string, unknown>>): void => {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(options.level)) return;
    const line = options.secrets.redact(toLine(level, message, details));
    file.append(line, level === 'warn' || level === 'error');
    options.echo?.(line);
  };
  return {
    debug: (message, details = {}) => write('debug', message, details),
    info: (message, details = {}) => write('info', message, details),
    warn: (message, details = {}) => write('warn', message, details),
    error: (message, details = {}) => write('error', message, details),
    flush: () => file.flush(),
    close: () => file.close(),
  };
}

function toLine(level: LogLevel, message: string, details: Readonly<Record<string, unknown>>): string {
  const head = { at: new Date().toISOString(), level, message };
  try {
    return `${JSON.stringify({ ...head, ...details }, plainValue).replaceAll(UNSEEN, escaped)}\n`;
  } catch {
    // A circle or a getter that throws: the message still says what happened.
    return `${JSON.stringify({ ...head, details: 'not representable' })}\n`;
  }
}

/** Valid in JSON as they are, but a terminal that shows the log would obey them: DEL, C1 controls, direction marks. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, index) => unit(character.charCodeAt(index))).join('');

const unit = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`;

function plainValue(_key: string, value: unknown): unknown {
  if (value instanceof Error) return { name: value.name, message: value.message };
  return typeof value === 'bigint' ? value.toString() : value;
}

class RotatingFile {
  #waiting: string[] = [];
  #waitingBytes = 0;
  #leftOut = 0;
  #handle: FileHandle | undefined;
  #size = 0;
  #work: Promise<void> = Promise.resolve();
  #scheduled = false;
  #gathering: NodeJS.Timeout | undefined;

  constructor(
    private readonly file: string,
    private readonly limit: number,
  ) {}

  append(line: string, isUrgent: boolean): void {
    if (this.#waitingBytes > WAITING_BYTES) {
      this.#leftOut += 1;
      return;
    }
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
    if (isUrgent) this.#schedule();
    else this.#gathering ??= setTimeout(() => this.#schedule(), GATHER_MS);
  }

  async flush(): Promise<void> {
    if (this.#waiting.length > 0) this.#schedule();
    await this.#work;
  }

  async close(): Promise<void> {
    await this.flush();
    await this.#handle?.close();
    this.#handle = undefined;
  }

  #schedule(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#work = this.#work.then(() => this.#drain());
  }

  async #drain(): Promise<void> {
    this.#scheduled = false;
    const text = this.#take();
    try {
      await this.#write(text);
    } catch {
      // A full or vanished disk must not end the program; the next lines try again with a fresh handle.
      await this.#handle?.close().catch(() => undefined);
      this.#handle = undefined;
    }
  }

  #take(): string {
    const lines = this.#waiting;
    if (this.#leftOut > 0)
      lines.push(toLine('warn', 'log lines left out, the disk is too slow', { lines: this.#leftOut }));
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#leftOut = 0;
    return lines.join('');
  }

  async #write(text: string): Promise<void> {
    if (this.#handle !== undefined && this.#size > this.limit) await this.#rotate();
    this.#handle ??= await this.#open();
    await this.#handle.appendFile(text);
    this.#size += Buffer.byteLength(text);
  }

  async #open(): Promise<FileHandle> {
    const handle = await open(this.file, 'a', PRIVATE_FILE);
    this.#size = (await stat(this.file)).size;
    return handle;
  }

  async #rotate(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
    await rm(this.#old(OLD_FILES), { force: true });
    for (let number = OLD_FILES; number > 1; number -= 1) await moveIfThere(this.#old(number - 1), this.#old(number));
    await moveIfThere(this.file, this.#old(1));
  }

  #old(number: number): string {
    return `${this.file}.${number}`;
  }
}

async function moveIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
