// A durable command on its host: started, followed and cleared away through a shell on a channel of its own.
import { appError } from '../../../src-shared/errors.ts';
import type { StreamName } from '../../../src-shared/model/index.ts';
import { openShell, restorePlace } from '../lanes/open-shell.ts';
import type { Place } from '../lanes/open-shell.ts';
import type { OpenExec } from '../lanes/port.ts';
import { KILL_LINE, killText } from '../shells/kill-script.ts';
import type { KillOrder } from '../shells/kill-script.ts';
import type { LiveShell, OutputSink } from '../shells/live-shell.ts';
import { nonce } from '../shells/nonce.ts';
import * as texts from './texts.ts';
import type { JobState, Offsets } from './texts.ts';

/** Milliseconds within which a shell has to answer. */
const GREETING_MS = 15_000;
/** Longest text that a step prints, such as a path. */
const SAID_BYTES = 8192;

/** A shell that serves one durable command. Every step rejects with SESSION_LOST when the channel is gone. */
export class RemoteJob {
  readonly #shell: LiveShell;

  private constructor(shell: LiveShell) {
    this.#shell = shell;
  }

  /** Rejects with UNSUPPORTED (no further channel, no POSIX shell) or SESSION_LOST. */
  static async open(open: OpenExec): Promise<RemoteJob> {
    const ignore = (): void => undefined;
    const sinks = { onNoise: ignore, onLate: ignore, onClosed: ignore };
    return new RemoteJob(await openShell({ open, timeoutMs: GREETING_MS, ...sinks }));
  }

  /** Goes to the place where the session's shell is; what could not be restored, or null. */
  async goTo(place: Place | null): Promise<string | null> {
    return place === null ? null : (await restorePlace(this.#shell, place)).problem;
  }

  /** Changes the directory; false when it cannot be entered. */
  async enter(directory: string): Promise<boolean> {
    const end = await this.#shell.run({ command: ':', directory, stdin: null }, () => undefined);
    return end.kind === 'ended' && end.fault === 'none';
  }

  /** Makes the folder with the command's text and stdin in it; its path. Rejects with UNSUPPORTED where there is no room. */
  async prepare(id: string, command: string, stdin: Uint8Array | undefined): Promise<string> {
    const folder = await this.#ask(texts.prepareText(id), Buffer.from(command));
    if (folder === null || !folder.startsWith('/')) throw noFolder();
    if (stdin !== undefined && (await this.#ask(texts.stdinText(folder), stdin)) === null) {
      await this.remove(folder);
      throw noFolder();
    }
    return folder;
  }

  /** Starts it. Rejects with UNSUPPORTED when its parent did not come up. */
  async start(folder: string): Promise<void> {
    if ((await this.#ask(texts.startText(folder, this.#shell.greeting.kind))) !== null) return;
    await this.remove(folder);
    throw appError('UNSUPPORTED', {
      message: 'This host did not start the command apart from the connection',
      hint: 'Call again without durable.',
      details: { reason: 'not_started' },
    });
  }

  /** Hands out what the streams bring from the offsets on; resolves when it has ended or another follower has come. */
  async follow(folder: string, from: Offsets, output: OutputSink): Promise<void> {
    await this.#run(texts.followText(folder, from, nonce()), output);
  }

  /** Hands out what stands past the offsets now. */
  async rest(folder: string, from: Offsets, output: OutputSink): Promise<void> {
    await this.#run(texts.restText(folder, from), output);
  }

  async state(folder: string): Promise<JobState> {
    const state = texts.readState((await this.#ask(texts.stateText(folder))) ?? '');
    if (state === null) throw lost();
    return state;
  }

  /** Removes the folder. */
  async remove(folder: string): Promise<void> {
    await this.#ask(texts.removeText(folder));
  }

  /** Removes what other commands have left in this account long ago. */
  async sweep(): Promise<void> {
    await this.#ask(texts.sweepText());
  }

  /** Process id of the command's parent; null when it is gone or not known. */
  async pid(folder: string): Promise<number | null> {
    const pid = Number(await this.#ask(texts.pidText(folder)));
    return Number.isSafeInteger(pid) && pid > 1 ? pid : null;
  }

  pause(): void {
    this.#shell.pause();
  }

  resume(): void {
    this.#shell.resume();
  }

  close(): void {
    this.#shell.close();
  }

  /** What a step printed; null when it failed. */
  async #ask(command: string, stdin: Uint8Array | null = null): Promise<string | null> {
    const said: Buffer[] = [];
    let size = 0;
    const end = await this.#run(command, collectStdout, stdin);
    return end === 0 ? Buffer.concat(said).toString('utf8') : null;

    function collectStdout(stream: StreamName, bytes: Buffer): void {
      if (stream !== 'stdout' || size > SAID_BYTES) return;
      said.push(bytes);
      size += bytes.length;
    }
  }

  async #run(command: string, output: OutputSink, stdin: Uint8Array | null = null): Promise<number> {
    const end = await this.#shell.run({ command, directory: '', stdin }, output);
    if (end.kind !== 'ended') throw lost();
    return end.status;
  }
}

/** Whom a signal means. */
export interface JobTarget {
  /** Process id of the command's parent. */
  readonly pid: number;
  readonly folder: string;
}

/** Signals everything that the command's parent has started, also what has left it, and with `parentToo` that parent. */
export async function signalJob(
  open: OpenExec,
  job: JobTarget,
  how: { signal: KillOrder['signal']; parentToo: boolean },
): Promise<void> {
  const channel = await open(KILL_LINE);
  const toShell = how.parentToo ? 'KILL' : 'nothing';
  await new Promise<void>((resolve) => {
    channel.onClose = () => resolve();
    const marker = texts.markerOf(job.folder);
    const text = killText({ shellPid: job.pid, marker, spared: [], signal: how.signal, toShell });
    void channel.write(text).then(() => channel.endInput());
  });
}

const lost = (): Error => appError('SESSION_LOST', { details: { reason: 'channel_gone' } });

const noFolder = (): Error =>
  appError('UNSUPPORTED', {
    message: 'This host has no folder in which the output of a durable command could be kept, or no room in it',
    hint: 'Make room in the home or temporary folder of this account, or call again without durable.',
    details: { reason: 'no_folder' },
  });
