// One run of a command: its state, its two spools, and who wants to know.
import type { AppError } from '../../../src-shared/errors.ts';
import type { Actor, CommandStatus, CommandView, StreamName } from '../../../src-shared/model/index.ts';
import { isFinal } from '../../../src-shared/model/index.ts';
import type { Clock } from '../clock.ts';
import { coalesce } from '../sessions/coalesce.ts';
import type { Coalesced } from '../sessions/coalesce.ts';
import type { Command, RunRequest } from '../sessions/port.ts';
import { newCommandId } from './command-id.ts';
import { lastLineOf } from './plain-text.ts';
import type { Spool } from './spool.ts';

/** Byte counts are told at most this often. */
const TELL_EVERY_MS = 100;
/** Of the latest output this much is kept at hand for {@link Command.lastLine}. */
const TAIL_BYTES = 1024;

/** How a run came to its end. */
export interface Ending {
  readonly status: Extract<CommandStatus, 'exited' | 'cancelled' | 'timed_out' | 'lost'>;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly workingDir: string | null;
  readonly shellRestarted: boolean;
}

/** Why a running command is being stopped. */
export type StopReason = 'cancelled' | 'timed_out';

/** A run that goes on beside the lane (durable commands): whoever follows it stops it, too. */
export interface Detached {
  cancel(reason: StopReason, first: 'INT' | 'TERM' | 'KILL'): Promise<void>;
}

/** What is known of a run that began before this start of the app. Times in epoch milliseconds. */
export interface Resumed {
  readonly id: string;
  readonly queuedAt: number;
  readonly startedAt: number;
  readonly workingDir: string | null;
}

/** What a run is made from. */
export interface CommandRunParts {
  readonly resumed?: Resumed;
  readonly request: RunRequest;
  readonly actor: Actor;
  readonly sessionName: string;
  readonly clock: Clock;
  readonly spools: (id: string) => Readonly<Record<StreamName, Spool>>;
  /** 1 = next; null when not in the queue. */
  readonly position: (run: CommandRun) => number | null;
  readonly cancel: (run: CommandRun, reason: StopReason, first: 'INT' | 'TERM' | 'KILL') => Promise<void>;
  readonly onChange: (run: CommandRun) => void;
}

/** The lane's own view of a {@link Command}. */
export class CommandRun implements Command {
  readonly id: string;
  readonly request: RunRequest;
  readonly actor: Actor;
  readonly spools: Readonly<Record<StreamName, Spool>>;
  readonly ended: Promise<void>;
  /** Set once somebody wants it stopped; decides the final status. */
  stopReason: StopReason | null = null;
  /** Set when it runs beside the lane. */
  detached: Detached | null = null;
  /** Why it could not be started at all. */
  fault: AppError | null = null;
  /** The shell before had gone already when its turn came. */
  inNewShell = false;
  workingDirAfter: string | null = null;
  readonly #parts: CommandRunParts;
  readonly #queuedAt: number;
  readonly #notices: string[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #changed: Coalesced;
  #status: CommandStatus = 'queued';
  #exitCode: number | null = null;
  #signal: string | null = null;
  #workingDir: string | null = null;
  #startedAt: number | null = null;
  #endedAt: number | null = null;
  #shellRestarted = false;
  #tail: Buffer = Buffer.alloc(0);
  #resolveEnded: () => void = () => undefined;

  constructor(parts: CommandRunParts) {
    const { resumed } = parts;
    this.#parts = parts;
    this.id = resumed?.id ?? newCommandId();
    this.request = parts.request;
    this.actor = parts.actor;
    this.spools = parts.spools(this.id);
    this.#queuedAt = resumed?.queuedAt ?? parts.clock.now();
    if (resumed !== undefined) {
      this.#status = 'running';
      this.#startedAt = resumed.startedAt;
      this.#workingDir = resumed.workingDir;
    }
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.#changed = coalesce(parts.clock, TELL_EVERY_MS, () => this.#tell());
  }

  get status(): CommandStatus {
    return this.#status;
  }

  get final(): boolean {
    return isFinal(this.#status);
  }

  get notices(): readonly string[] {
    return this.#notices;
  }

  view(): CommandView {
    return {
      commandId: this.id,
      sessionName: this.#parts.sessionName,
      actor: this.actor,
      command: this.request.command,
      status: this.#status,
      exitCode: this.#exitCode,
      signal: this.#signal,
      workingDir: this.#workingDir,
      queuedAt: this.#queuedAt,
      startedAt: this.#startedAt,
      endedAt: this.#endedAt,
      stdoutBytes: this.spools.stdout.length,
      stderrBytes: this.spools.stderr.length,
      shellRestarted: this.#shellRestarted,
      queuePosition: this.#status === 'queued' ? this.#parts.position(this) : null,
    };
  }

  stream(name: StreamName): Spool {
    return this.spools[name];
  }

  lastLine(): string {
    return lastLineOf(this.#tail.toString('utf8'));
  }

  async cancel(reason: StopReason, firstSignal: 'INT' | 'TERM' | 'KILL' = 'INT'): Promise<void> {
    if (this.final) return;
    if (this.detached === null) await this.#parts.cancel(this, reason, firstSignal);
    else await this.detached.cancel(reason, firstSignal);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  addNotice(text: string): void {
    if (!this.#notices.includes(text)) this.#notices.push(text);
  }

  /** Its turn has come. */
  begin(workingDir: string | null): void {
    this.#status = 'running';
    this.#startedAt = this.#parts.clock.now();
    this.#workingDir = workingDir;
    this.#tell();
  }

  /** Its place in the queue may have changed. */
  moved(): void {
    this.#changed.poke();
  }

  /** Stores output; the offset, or null when it could not be kept. */
  store(stream: StreamName, bytes: Buffer): number | null {
    const offset = this.spools[stream].append(bytes);
    if (offset === null) return null;
    this.#tail = tailOf(this.#tail, bytes);
    this.#changed.poke();
    return offset;
  }

  finish(ending: Ending): void {
    if (this.final) return;
    // A change that is owed comes before the end, which is told once.
    this.#changed.close();
    this.spools.stdout.end();
    this.spools.stderr.end();
    this.#status = ending.status;
    this.#exitCode = ending.exitCode;
    this.#signal = ending.signal;
    this.#shellRestarted = ending.shellRestarted;
    this.workingDirAfter = ending.workingDir;
    this.#endedAt = this.#parts.clock.now();
    this.#tell();
    this.#resolveEnded();
  }

  async remove(): Promise<void> {
    this.#listeners.clear();
    await Promise.all([this.spools.stdout.remove(), this.spools.stderr.remove()]);
  }

  #tell(): void {
    this.#parts.onChange(this);
    for (const listener of [...this.#listeners]) listener();
  }
}

function tailOf(before: Buffer, bytes: Buffer): Buffer {
  const all = bytes.length >= TAIL_BYTES ? bytes : Buffer.concat([before, bytes]);
  return Buffer.from(all.subarray(Math.max(0, all.length - TAIL_BYTES)));
}
