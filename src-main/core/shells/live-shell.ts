// One running shell on one channel: starts it, gives it commands one at a time, tells how each ended.
import type { StreamName } from '../../../src-shared/model/index.ts';
import type { ExecChannel } from '../ssh/port.ts';
import { bootText } from './boot.ts';
import { markerWord, nonce } from './nonce.ts';
import type { RunWords, ShellRequest } from './request.ts';
import { encodeEnd, encodeRequest } from './request.ts';
import { Splitter } from './splitter.ts';

export type ShellKind = 'bash' | 'sh';

/** What a shell reported when it was ready. */
export interface Greeting {
  /** First part of the markers of its commands. */
  readonly word: string;
  readonly name: string;
  readonly kind: ShellKind;
  readonly pid: number;
  readonly umask: string;
  readonly directory: string;
}

/** How a command ended. */
export type RunEnd =
  /** `ended`: the shell lives. `left`: it reported its own end (exit, set -e, ...). */
  | { readonly kind: 'ended' | 'left'; readonly status: number; readonly fault: RunFault; readonly directory: string }
  /** The channel closed without a report: killed, replaced by exec, or the connection is gone. */
  | { readonly kind: 'gone'; readonly exitCode: number | null; readonly signal: string | null };

/** How a shell's process ended, as far as it is known. */
type ShellDeath = Parameters<ExecChannel['onClose']>[0];

/** Why the command text was not run at all. */
export type RunFault = 'none' | 'directory' | 'stdin';

/** Where a shell's bytes go that belong to no command. */
export interface ShellSinks {
  readonly onNoise: (bytes: Buffer) => void;
  readonly onLate: (stream: StreamName, bytes: Buffer) => void;
  /** After the greeting: the channel closed. */
  readonly onClosed: () => void;
}

/** Receives a command's output. */
export type OutputSink = (stream: StreamName, bytes: Buffer) => void;

/** Process ids of the latest background jobs that are remembered. */
const JOBS_KEPT = 50;

interface Waiting {
  readonly ended: Promise<RunEnd>;
  readonly resolve: (end: RunEnd) => void;
}

/** See the file's first line. Made by {@link greet}. */
export class LiveShell {
  readonly greeting: Greeting;
  /** Text of the last complete dump of exported variables. */
  environment: string;
  /** Process ids of background jobs that commands have started, latest first. */
  jobs: readonly number[] = [];
  readonly #channel: ExecChannel;
  readonly #splitters: Record<StreamName, Splitter>;
  #waiting: Waiting | null = null;
  /** Requests so far; the driver counts alike. */
  #runs = 0;
  /** What the shell has said about the end of the command whose variables are still on their way. */
  #reported: RunEnd | null = null;
  #closed: ShellDeath | null = null;

  constructor(channel: ExecChannel, splitters: Record<StreamName, Splitter>, greeting: Greeting, environment: string) {
    this.#channel = channel;
    this.#splitters = splitters;
    this.greeting = greeting;
    this.environment = environment;
  }

  /** Runs one command; the one before must have ended. Never rejects. */
  run(request: ShellRequest, output: OutputSink): Promise<RunEnd> {
    const closed = this.#closed;
    if (closed !== null) return Promise.resolve({ kind: 'gone', ...closed });
    this.#runs += 1;
    const words: RunWords = { end: nonce(), taken: nonce() };
    let resolve: (end: RunEnd) => void = noAction;
    const ended = new Promise<RunEnd>((done) => {
      resolve = done;
    });
    this.#waiting = { ended, resolve };
    this.#await(words, request.stdin !== null, output);
    const end = encodeEnd(this.greeting.kind, words);
    const head = encodeRequest(this.greeting.kind, request, words);
    // One write, one packet: two would wait for a delayed acknowledgement.
    void this.#channel.write(request.stdin === null ? Buffer.concat([head, end]) : head);
    return ended;
  }

  /** What the processes of the latest command carry in their environment. */
  get marker(): string {
    return `${this.greeting.word}.${this.#runs}.`;
  }

  /** Resolves when nothing runs in it. */
  get idle(): Promise<void> {
    return this.#waiting === null ? Promise.resolve() : this.#waiting.ended.then(noAction);
  }

  pause(): void {
    this.#channel.pause();
  }

  resume(): void {
    this.#channel.resume();
  }

  /** A signal request on the shell's own channel; not every server obeys. */
  signal(name: string): void {
    this.#channel.signal(name);
  }

  close(): void {
    this.#channel.close();
  }

  /** For {@link greet}: the channel has closed. */
  channelClosed(end: ShellDeath): void {
    this.#splitters.stdout.end();
    this.#splitters.stderr.end();
    this.#closed = end;
    this.#finish(this.#reported ?? { kind: 'gone', ...end });
  }

  #finish(end: RunEnd): void {
    const waiting = this.#waiting;
    this.#reported = null;
    this.#waiting = null;
    waiting?.resolve(end);
  }

  #await(words: RunWords, hasStdin: boolean, output: OutputSink): void {
    let report: RunEnd | null = null;
    let stderrDone = false;
    const settle = (): void => {
      if (stderrDone && report !== null) this.#finish(report);
    };
    const out = (bytes: Buffer): void => output('stdout', bytes);
    const { stdout, stderr } = this.#splitters;
    if (hasStdin) {
      // The end nonce follows only now: `head` on some hosts reads further than it was told to.
      stdout.expect(mark(words.taken, 0x1f), out, noAction);
      collect(stdout, mark(words.taken, 6), (directory) => {
        // A directory: the shell could not take its stdin whole and ends, for the rest would be read as commands.
        if (directory === '') void this.#channel.write(encodeEnd(this.greeting.kind, words));
        else this.#reported = { kind: 'left', status: 1, fault: 'stdin', directory };
      });
    }
    stdout.expect(mark(words.end, 0x1f), out, noAction);
    collect(stdout, mark(words.end, 0x1c), (text) => {
      const { job, reason, ...parsed } = parseReport(text);
      if (job !== null) this.#addJobs([job]);
      if (reason !== null) output('stderr', Buffer.from(`${reason}\n`));
      this.#reported = parsed;
      // The result waits for the variables: should the shell be killed right after it, the next one has them.
      collect(stdout, mark(words.end, 0x1d), (dump) => {
        this.#takeState(dump);
        report = parsed;
        settle();
      });
    });
    stderr.expect(
      mark(words.end, 0x1e),
      (bytes) => output('stderr', bytes),
      () => {
        stderrDone = true;
        settle();
      },
    );
  }

  #takeState(dump: string): void {
    // A plain program changed nothing.
    if (dump === '') return;
    const { jobs, environment } = splitState(dump);
    // bash says which are alive; sh only ever names the last.
    if (this.greeting.kind === 'bash') this.jobs = jobs;
    this.environment = environment;
  }

  #addJobs(jobs: readonly number[]): void {
    if (jobs.length > 0) this.jobs = [...new Set([...jobs, ...this.jobs])].slice(0, JOBS_KEPT);
  }
}

/**
 * Starts our shell on a fresh channel and waits for its greeting. Resolves with null when the channel closed without one
 * or `timeoutMs` passed: what answered is no POSIX shell. The channel is closed then.
 */
export function greet(channel: ExecChannel, sinks: ShellSinks, timeoutMs: number): Promise<LiveShell | null> {
  return new Promise((resolve) => {
    const word = nonce();
    const death = nonce();
    let died = 0;
    let exitCode: number | null = null;
    /** The parent's report: on both streams, so that all output before it is here. */
    const dead = (report: Buffer): void => {
      const digits = /^\d+/.exec(report.toString('latin1'))?.[0];
      if (digits !== undefined) exitCode = Number(digits);
      died += 1;
      if (died < 2) return;
      channel.close();
      over({ exitCode, signal: null });
    };
    const final = { mark: mark(death, 0x05), onMark: dead };
    const splitters = {
      stdout: new Splitter((bytes) => sinks.onLate('stdout', bytes), final),
      stderr: new Splitter((bytes) => sinks.onLate('stderr', bytes), final),
    };
    let shell: LiveShell | null = null;
    let isOver = false;
    const over = (end: ShellDeath): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      if (shell === null) return resolve(null);
      shell.channelClosed(end);
      sinks.onClosed();
    };
    const timer = setTimeout(() => channel.close(), timeoutMs);
    channel.onStdout = (bytes) => splitters.stdout.push(bytes);
    channel.onStderr = (bytes) => splitters.stderr.push(bytes);
    channel.onClose = over;
    let greeting: Greeting | null = null;
    let environment = '';
    const settle = (): void => {
      if (greeting === null || environment === '' || !stderrDone) return;
      clearTimeout(timer);
      shell = new LiveShell(channel, splitters, greeting, splitState(environment).environment);
      resolve(shell);
    };
    let stderrDone = false;
    splitters.stderr.expect(mark(word, 0x1e), sinks.onNoise, () => {
      stderrDone = true;
      settle();
    });
    splitters.stdout.expect(mark(word, 0x1f), sinks.onNoise, noAction);
    collect(splitters.stdout, mark(word, 0x1c), (text) => {
      greeting = parseGreeting(markerWord(word), text);
    });
    collect(splitters.stdout, mark(word, 0x1d), (dump) => {
      environment = dump;
      settle();
    });
    void channel.write(bootText({ greeting: word, death }));
  });
}

function mark(word: string, last: number): Buffer {
  return Buffer.from(`\u001e${word}${String.fromCharCode(last)}`);
}

function noAction(): void {}

function collect(splitter: Splitter, end: Buffer, done: (text: string) => void): void {
  const pieces: Buffer[] = [];
  splitter.expect(
    end,
    (bytes) => pieces.push(bytes),
    () => done(Buffer.concat(pieces).toString('utf8')),
  );
}

function parseGreeting(word: string, text: string): Greeting {
  const [name = 'sh', pid = '', umask = '', ...directory] = text.split('\u001f');
  const kind = name.startsWith('bash ') ? 'bash' : 'sh';
  return { word, name, kind, pid: Number(pid), umask: umask.trim(), directory: directory.join('\u001f') };
}

const FAULTS: Readonly<Record<string, RunFault>> = { C: 'directory', I: 'stdin' };

type Report = Extract<RunEnd, { kind: 'ended' | 'left' }>;

/** `reason`: the shell's own words about a directory that could not be entered. */
function parseReport(text: string): Report & { readonly job: number | null; readonly reason: string | null } {
  const [status = '', flag = '', job = '', ...directory] = text.split('\u001f');
  return {
    kind: flag === 'E' ? 'left' : 'ended',
    status: Number(status),
    fault: FAULTS[flag] ?? 'none',
    directory: directory.join('\u001f'),
    job: /^\d+$/.test(job) ? Number(job) : null,
    reason: flag === 'C' ? plainReason(job) : null,
  };
}

/** Shells begin with their own name and a line of our text, which say nothing to the user: `bash: line 1: cd: /x: ...`. */
function plainReason(said: string): string {
  return said.trim().replace(/^.*?\bcd: (?:line \d+: )?/s, 'cd: ');
}

/** Process ids of jobs, one a line, come before the variables. */
function splitState(dump: string): { readonly jobs: readonly number[]; readonly environment: string } {
  const pids = /^(?:\d+\n)*/.exec(dump)?.[0] ?? '';
  const jobs = pids.split('\n').filter((pid) => pid !== '');
  return { jobs: jobs.map(Number), environment: dump.slice(pids.length) };
}
