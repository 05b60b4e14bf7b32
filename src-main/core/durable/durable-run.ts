// One durable command from this side: follows its output over any number of connections until its exit code is here.
import { AppError } from '../../../src-shared/errors.ts';
import type { CommandRun, StopReason } from '../lanes/command-run.ts';
import { wait } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../core.ts';
import type { LaneHooks, LaneLimits, OpenExec } from '../lanes/port.ts';
import { signalOfExitCode } from '../lanes/signals.ts';
import type { StopSignal } from '../lanes/stop-command.ts';
import { takeOutput } from '../lanes/take-output.ts';
import { RemoteJob, signalJob } from './remote-job.ts';
import type { JobTarget } from './remote-job.ts';

/** Pause before following again after a fault that was not the connection's. */
const AGAIN_MS = 2000;
/** How long each signal may take before the next, harder one. */
const STAGE_MS: Readonly<Record<StopSignal, number>> = { INT: 1500, TERM: 1500, KILL: 2500 };
const STAGES: readonly StopSignal[] = ['INT', 'TERM', 'KILL'];
/** A call that stops a command waits this long at most. */
const CANCEL_MS = 9000;

/** What following needs. */
export interface DurableRunParts {
  readonly run: CommandRun;
  /** The command's folder on the host. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: LaneLimits;
  readonly onOutput: LaneHooks['onOutput'];
  /** It has ended and nothing of it is left on the host, or it was given up: its record can go. */
  readonly onEnded: () => Promise<void>;
}

/** See the file's first line. */
export class DurableRun {
  readonly run: CommandRun;
  readonly folder: string;
  readonly #parts: DurableRunParts;
  #open: OpenExec | null = null;
  #following = new AbortController();
  #stopping: Promise<void> | null = null;
  #firstSignal: StopSignal = 'INT';

  constructor(parts: DurableRunParts) {
    this.#parts = parts;
    this.run = parts.run;
    this.folder = parts.folder;
    parts.run.detached = { cancel: (reason, first) => this.cancel(reason, first) };
    const { clock, run } = parts;
    const left = (run.view().startedAt ?? clock.now()) + run.request.timeoutMs - clock.now();
    const stopTimer = clock.after(Math.max(0, left), () => void this.cancel('timed_out', 'INT'));
    void run.ended.then(stopTimer);
  }

  /** A connection is there: goes on from the last byte. `job` is the shell that has started it, if it is new. */
  attach(open: OpenExec, job: RemoteJob | null = null): void {
    this.#following.abort();
    this.#following = new AbortController();
    this.#open = open;
    void this.#keepFollowing(open, job, this.#following.signal);
  }

  /** The connection is gone; the command is not. */
  detach(reason: string): void {
    this.#following.abort();
    this.#open = null;
    if (this.run.final) return;
    this.run.addNotice(
      `The connection was lost while this durable command ran (${reason}); it goes on, and its output is fetched from the last byte on.`,
    );
  }

  /** Stops it; where there is no connection, as soon as there is one. Resolves when it has ended, after at most 10 s. */
  async cancel(reason: StopReason, first: StopSignal): Promise<void> {
    this.run.stopReason ??= reason;
    this.#firstSignal = first;
    if (this.#open === null) {
      this.run.addNotice('It will be stopped as soon as the host is connected again.');
      return;
    }
    const stopped = Promise.all([this.run.ended, this.#stop(this.#open)]);
    await Promise.race([stopped, wait(this.#parts.clock, CANCEL_MS, new AbortController().signal)]);
  }

  /** Gives it up without a connection: it may go on running on the host. */
  async giveUp(): Promise<void> {
    this.#following.abort();
    this.run.addNotice(
      `It could not be stopped from here: it may still run on the host; its output there is in ${this.folder}.`,
    );
    await this.#finish(null, 'lost');
  }

  /** Follows no more; the command and its record stay. */
  leave(): void {
    this.#following.abort();
    this.#open = null;
  }

  async #keepFollowing(open: OpenExec, first: RemoteJob | null, signal: AbortSignal): Promise<void> {
    let job = first;
    while (!this.run.final && !signal.aborted) {
      try {
        job ??= await RemoteJob.open(open);
        if (signal.aborted) return job.close();
        if (this.run.stopReason !== null) void this.#stop(open);
        await this.#followOnce(job, signal);
      } catch (error) {
        job?.close();
        job = null;
        if (signal.aborted) return;
        this.#parts.log.info('a durable command is followed again', { command: this.run.id, error: String(error) });
        if (error instanceof AppError && error.code === 'UNSUPPORTED') this.run.addNotice(noChannel(error.message));
        await wait(this.#parts.clock, AGAIN_MS, signal).catch(() => undefined);
      }
    }
    job?.close();
  }

  /** Streams, then asks how it stands; what came meanwhile is fetched behind the answer, so nothing is missing. */
  async #followOnce(job: RemoteJob, signal: AbortSignal): Promise<void> {
    const output = (stream: 'stdout' | 'stderr', bytes: Buffer): void => {
      // Pieces of a follower that was replaced are the next one's, too.
      if (signal.aborted) return;
      const { limits, onOutput } = this.#parts;
      takeOutput({ limits, onOutput, stop: (run, notice) => this.#stopFor(run, notice) }, this.run, job, {
        stream,
        bytes,
      });
    };
    await job.follow(this.folder, this.#offsets(), output);
    const state = await job.state(this.folder);
    if (state.kind === 'alive' || signal.aborted) return;
    await job.rest(this.folder, this.#offsets(), output);
    await this.#drained();
    await job.remove(this.folder);
    if (signal.aborted) return;
    if (state.kind === 'gone')
      this.run.addNotice('Its processes are gone without an exit code: killed, or the host was restarted.');
    await this.#finish(state.kind === 'ended' ? state.exitCode : null, state.kind === 'ended' ? 'exited' : 'lost');
    await job.sweep();
  }

  #offsets(): { stdout: number; stderr: number } {
    return { stdout: this.run.spools.stdout.length, stderr: this.run.spools.stderr.length };
  }

  async #drained(): Promise<void> {
    await Promise.all([this.run.spools.stdout.drained(), this.run.spools.stderr.drained()]);
  }

  #stopFor(run: CommandRun, notice: string): void {
    run.addNotice(notice);
    if (run.stopReason === null) void this.cancel('cancelled', 'KILL');
  }

  /** One at a time; never rejects. */
  #stop(open: OpenExec): Promise<void> {
    this.#stopping ??= this.#signalAll(open)
      .catch((error: unknown) =>
        this.#parts.log.warn('a durable command could not be stopped', { command: this.run.id, error: String(error) }),
      )
      .finally(() => {
        this.#stopping = null;
      });
    return this.#stopping;
  }

  async #signalAll(open: OpenExec): Promise<void> {
    const job = await RemoteJob.open(open);
    const pid = await job.pid(this.folder).finally(() => job.close());
    if (pid === null) return;
    const target: JobTarget = { pid, folder: this.folder };
    for (const signal of STAGES.slice(STAGES.indexOf(this.#firstSignal))) {
      const until = this.#parts.clock.now() + STAGE_MS[signal];
      while (!this.run.final && this.#parts.clock.now() < until) {
        await signalJob(open, target, { signal, parentToo: false });
        const pause = wait(this.#parts.clock, 300, new AbortController().signal);
        await Promise.race([this.run.ended, pause]);
      }
      if (this.run.final) return this.#signalRest(open, target);
    }
    await signalJob(open, target, { signal: 'KILL', parentToo: true });
  }

  /** What it had put into the background ignores INT, and its end does not wait for it. */
  async #signalRest(open: OpenExec, target: JobTarget): Promise<void> {
    await signalJob(open, target, { signal: 'TERM', parentToo: false });
    await signalJob(open, target, { signal: 'KILL', parentToo: false });
  }

  async #finish(exitCode: number | null, natural: 'exited' | 'lost'): Promise<void> {
    const { run } = this;
    const signal = exitCode === null ? null : signalOfExitCode(exitCode);
    await this.#parts.onEnded();
    run.finish({ status: run.stopReason ?? natural, exitCode, signal, workingDir: null, shellRestarted: false });
  }
}

const noChannel = (why: string): string =>
  `The host gives no further channel to follow this durable command (${why}); it runs on and is tried again.`;
