// The agent lane: a queue of commands in front of one persistent shell, and what happens when that shell ends.
import path from 'node:path';
import { appError } from '../../../src-shared/errors.ts';
import type { AppError } from '../../../src-shared/errors.ts';
import type { Actor, CommandView, StreamName } from '../../../src-shared/model/index.ts';
import { systemClock } from '../clock.ts';
import type { Command, RunRequest } from '../sessions/port.ts';
import type { LiveShell, RunEnd } from '../shells/live-shell.ts';
import { CommandRun } from './command-run.ts';
import type { StopReason } from './command-run.ts';
import type { DiskGuard } from './disk-guard.ts';
import { createDiskGuard } from './disk-guard.ts';
import { endingOf, faultNotice } from './ending.ts';
import { createLateOutput } from './late-output.ts';
import { FairQueue } from './fair-queue.ts';
import { factsOf, openShell, restorePlace } from './open-shell.ts';
import type { Place } from './open-shell.ts';
import type { AgentLane, AgentLaneOptions, OpenExec, ShellFacts } from './port.ts';
import { createSpools } from './spool.ts';
import type { Spool } from './spool.ts';
import { endStuck, stopCommand } from './stop-command.ts';
import { watchShell } from './stopped-shell.ts';
import { takeOutput } from './take-output.ts';
import type { StopSignal } from './stop-command.ts';

const GREETING_MS = 15_000;
const KEPT_COMMANDS = 200;

/** Makes a lane; call `start()` next. */
export function createAgentLane(options: AgentLaneOptions): AgentLane {
  return new Lane(options);
}

class Lane implements AgentLane {
  readonly #options: AgentLaneOptions;
  readonly #guard: DiskGuard;
  readonly #late = createLateOutput();
  readonly #notices: string[] = [];
  /** Null while there is no connection. */
  #open: OpenExec | null;
  #live: LiveShell | null = null;
  #facts: ShellFacts | null = null;
  #place: Place | null = null;
  #ended: CommandRun[] = [];
  readonly #queue = new FairQueue();
  #running: CommandRun | null = null;
  /** The running command while it is not yet sent: to cancel it, not sending it is enough. */
  #unsent: CommandRun | null = null;
  /** A shell is being opened, or a stop is still under way: nothing new starts. */
  #busy = false;
  #held = false;
  #closed = false;
  #stopping: Promise<void> | null = null;
  /** A shell that no signal reached, to be ended over the next connection. */
  #stuck: LiveShell | null = null;

  constructor(options: AgentLaneOptions) {
    this.#options = options;
    this.#open = options.open;
    this.#guard = options.guard ?? createDiskGuard(options.spoolDir);
  }

  get shell(): ShellFacts | null {
    return this.#facts;
  }

  get shellName(): string | null {
    return this.#facts?.name ?? null;
  }

  get workingDir(): string | null {
    return this.#place?.directory ?? null;
  }

  get running(): Command | null {
    return this.#running;
  }

  async start(): Promise<ShellFacts> {
    try {
      await this.#openShell();
    } catch (error) {
      this.#closed = true;
      throw error;
    }
    this.#next();
    return this.#facts ?? neverStarted();
  }

  run(request: RunRequest, actor: Actor): Command {
    if (this.#closed) throw appError('SESSION_LOST', { message: 'This session is closed' });
    const bad = (['command', 'workingDir'] as const).find((field) => request[field]?.includes('\0') === true);
    if (bad !== undefined) {
      throw appError('INVALID_PARAMS', {
        message: `${bad} holds a NUL character, which no shell can take`,
        details: { field: bad },
      });
    }
    const run = this.#newRun(request, actor);
    this.#queue.add(run);
    this.#options.onCommandChange(run.view(), run);
    this.#moved();
    this.#next();
    return run;
  }

  command(id: string): Command {
    const found = this.commands().find((command) => command.id === id);
    if (found !== undefined) return found;
    const ids = this.commands().map((command) => command.id);
    throw appError('COMMAND_NOT_FOUND', {
      message: `No command of this session has the id ${id}`,
      details: { session: this.#options.sessionName, commandIds: ids.slice(-20) },
    });
  }

  commands(): readonly CommandRun[] {
    return [...this.#ended, ...(this.#running === null ? [] : [this.#running]), ...this.#queue.runs];
  }

  hold(): void {
    this.#held = true;
  }

  release(): void {
    this.#held = false;
    this.#next();
  }

  addNotice(text: string): void {
    this.#notices.push(text);
  }

  connectionLost(reason: string): void {
    const run = this.#running;
    this.#open = null;
    this.#keepPlace();
    this.#live = null;
    if (run === null || run.request.durable === true) return;
    run.addNotice(`The connection was lost while this command ran: ${reason}`);
    this.#finish(run, { kind: 'gone', exitCode: null, signal: null }, false);
  }

  async reattach(open: OpenExec): Promise<string | null> {
    this.#open = open;
    try {
      const problem = await this.#openRestored(this.#place);
      this.#next();
      return problem;
    } catch (error) {
      // What is queued goes on waiting: nothing may be sent over a connection that is of no use.
      this.#open = null;
      throw error;
    }
  }

  async cancelAll(what: { readonly running: boolean }): Promise<void> {
    const queued = this.#queue.runs;
    const running = what.running ? this.#running : null;
    await Promise.all([...queued, ...(running === null ? [] : [running])].map((run) => run.cancel('cancelled')));
  }

  async close(): Promise<readonly CommandView[]> {
    this.#closed = true;
    const open = this.commands().filter((run) => !run.final);
    await Promise.all(open.map((run) => run.cancel('cancelled')));
    this.#live?.close();
    this.#live = null;
    await Promise.all(this.#ended.map((run) => run.remove()));
    return open.map((run) => run.view());
  }

  #newRun(request: RunRequest, actor: Actor): CommandRun {
    return new CommandRun({
      request,
      actor,
      sessionName: this.#options.sessionName,
      clock: this.#options.clock ?? systemClock,
      spools: (id) => this.#spools(id),
      position: (run) => this.#queue.position(run),
      cancel: (run, reason, first) => this.#cancel(run, reason, first),
      onChange: (run) => this.#options.onCommandChange(run.view(), run),
    });
  }

  #spools(id: string): Readonly<Record<StreamName, Spool>> {
    const onFault = (error: AppError): void => {
      const run = this.#running;
      if (run?.id === id) this.#stopFor(run, `${error.message}.`);
    };
    return createSpools(this.#options.spoolDir, id, { guard: this.#guard, onFault });
  }

  /** Starts what comes next, if anything may start now. */
  #next(): void {
    if (this.#busy || this.#running !== null || this.#closed || this.#open === null) return;
    const run = this.#queue.take(this.#held);
    if (run === undefined) return;
    this.#moved();
    this.#running = run;
    void this.#execute(run);
  }

  /** Places in the queue may have changed. */
  #moved(): void {
    for (const waiting of this.#queue.runs) waiting.moved();
  }

  async #execute(run: CommandRun): Promise<void> {
    const clock = this.#options.clock ?? systemClock;
    run.begin(this.#directoryOf(run));
    const shell = await this.#ready(run);
    if (run.final) return;
    if (shell === null) return this.#finish(run, { kind: 'gone', exitCode: null, signal: null }, false);
    if (run.request.durable === true) return this.#detach(run);
    const stopTimer = clock.after(run.request.timeoutMs, () => void run.cancel('timed_out'));
    const stopWatch = this.#watch(run, shell);
    const { command, workingDir = '', stdin = null } = run.request;
    const { limits, onOutput } = this.#options;
    const taking = { limits, onOutput, stop: (taken: CommandRun, notice: string) => this.#stopFor(taken, notice) };
    const end = await shell.run({ command, directory: workingDir, stdin }, (stream, bytes) => {
      takeOutput(taking, run, shell, { stream, bytes });
    });
    stopTimer();
    stopWatch();
    await this.#stopping;
    if (run.final) return;
    if (end.kind === 'ended') {
      this.#place = { directory: end.directory, environment: shell.environment };
      this.#finish(run, end, false);
    } else {
      await this.#replaceShell(run, shell, end);
    }
  }

  /** Where it runs: workingDir counts from where the shell is. */
  #directoryOf({ request }: CommandRun): string | null {
    if (request.workingDir === undefined || this.workingDir === null) return request.workingDir ?? this.workingDir;
    return path.posix.resolve(this.workingDir, request.workingDir);
  }

  #watch(run: CommandRun, shell: LiveShell): () => void {
    const open = this.#open;
    const clock = this.#options.clock ?? systemClock;
    if (open === null) return () => undefined;
    const onStopped = (): void => {
      run.addNotice('The shell itself had been stopped (SIGSTOP) and was ended, for nothing would have continued it.');
      void endStuck(open, shell, clock);
    };
    return watchShell({ shell, open, clock, onStopped });
  }

  /** From here on it is not the lane's any more: the next one may start as soon as this one runs. */
  async #detach(run: CommandRun): Promise<void> {
    for (const notice of [...this.#notices.splice(0), ...this.#late.take()]) run.addNotice(notice);
    if (this.#open !== null) await this.#options.onDetach?.(run, this.#place, this.#open);
    if (!run.final && run.detached === null)
      return this.#finish(run, { kind: 'gone', exitCode: null, signal: null }, false);
    if (this.#running === run) this.#running = null;
    this.#next();
  }

  /** The shell that a command can be sent to; null when there is none, or when it was cancelled before it was sent. */
  async #ready(run: CommandRun): Promise<LiveShell | null> {
    this.#unsent = run;
    await this.#options.onStart?.(run);
    const shell = run.final ? null : (this.#live ?? (await this.#openInstead(run)));
    this.#unsent = null;
    return run.stopReason === null ? shell : null;
  }

  /** The shell had gone between two commands: killed from outside, or logged out by the host. */
  #openInstead(run: CommandRun): Promise<LiveShell | null> {
    run.inNewShell = true;
    run.addNotice(
      'The shell had ended since the last command; directory and exported variables were restored in a new one.',
    );
    return this.#openAgain(run, this.#place);
  }

  #stopFor(run: CommandRun, notice: string): void {
    run.addNotice(notice);
    if (run.stopReason === null) void run.cancel('cancelled', 'KILL');
  }

  async #cancel(run: CommandRun, reason: StopReason, first: StopSignal): Promise<void> {
    if (this.#queue.remove(run)) {
      run.stopReason = reason;
      this.#retire(run);
      run.finish({ status: reason, exitCode: null, signal: null, workingDir: null, shellRestarted: false });
      this.#moved();
      return;
    }
    run.stopReason ??= reason;
    // One that is being started beside the lane sees the reason there.
    const shell = this.#unsent === run || run.request.durable === true ? null : this.#live;
    if (this.#stopping === null && shell !== null && this.#open !== null && this.#running === run) {
      this.#stopping = this.#stop(run, shell, this.#open, first).finally(() => {
        this.#stopping = null;
      });
    }
    await run.ended;
  }

  #stop(run: CommandRun, shell: LiveShell, open: OpenExec, first: StopSignal): Promise<void> {
    const clock = this.#options.clock ?? systemClock;
    const parts = { shell, open, first, spared: shell.jobs, clock, log: this.#options.log };
    // The run's own promise waits for this stop, so the end of the shell's work has to be asked for.
    const outOfReach = (): void => this.#letGo(run, shell);
    const giveUp = (): void => this.#giveUp();
    return stopCommand({ ...parts, outOfReach, giveUp, ended: Promise.race([shell.idle, run.ended]) });
  }

  /** No signal reaches the command: what came of it nobody knows, so it ends as lost. The next channel is used to end it. */
  #letGo(run: CommandRun, shell: LiveShell): void {
    run.stopReason = null;
    run.addNotice('No signal reached the command, so its shell was given up; the command may still run on the host.');
    this.#stuck = shell;
  }

  #giveUp(): void {
    const reason = 'given up, because a command could not be stopped';
    this.connectionLost(reason);
    this.#options.onStuck?.(reason);
  }

  /** The shell has ended with this command: another takes its place before the result is given. */
  async #replaceShell(run: CommandRun, shell: LiveShell, end: Exclude<RunEnd, { kind: 'ended' }>): Promise<void> {
    shell.close();
    const before = this.#place;
    const directory = end.kind === 'left' ? end.directory : (before?.directory ?? '');
    const place: Place = { directory, environment: shell.environment };
    this.#place = place;
    if (this.#live === shell) this.#live = null;
    const next = await this.#openAgain(run, place);
    if (run.final) return;
    this.#finish(run, end, next !== null);
  }

  /** Opens a shell where the last one was; null when there is none to be had, which the run's notices tell. */
  async #openAgain(run: CommandRun, place: Place | null): Promise<LiveShell | null> {
    if (this.#open === null || this.#closed) return null;
    try {
      const problem = await this.#openRestored(place);
      if (problem !== null) run.addNotice(problem);
      if (this.#facts !== null) this.#options.onShellRestarted?.(this.#facts, problem);
      return this.#live;
    } catch (error) {
      this.#options.log.warn('no new shell', { session: this.#options.sessionName, error: String(error) });
      run.addNotice('The shell has ended and a new one could not be started.');
      // The one that was let go still takes the only channel that the server gives.
      if (this.#stuck !== null) this.#giveUp();
      return null;
    }
  }

  /** Opens a shell and brings it to a place; what could not be restored, or null. */
  async #openRestored(place: Place | null): Promise<string | null> {
    this.#busy = true;
    try {
      const shell = await this.#openShell();
      if (place === null) return null;
      const restored = await restorePlace(shell, place);
      // A shell that went away meanwhile tells nothing about what can be restored: the next one is brought there.
      if (this.#live !== shell) {
        this.#place = place;
        throw appError('SESSION_LOST');
      }
      this.#place = restored.place;
      return restored.problem;
    } finally {
      this.#busy = false;
    }
  }

  async #openShell(): Promise<LiveShell> {
    const open = this.#open;
    if (open === null) throw appError('SESSION_LOST');
    if (this.#stuck !== null) await endStuck(open, this.#stuck, this.#options.clock ?? systemClock);
    const shell = await openShell({
      open,
      timeoutMs: this.#options.limits.greetingMs ?? GREETING_MS,
      onNoise: (bytes) => this.#options.onNoise?.(bytes),
      onLate: (stream, bytes) => {
        this.#late.add(stream, bytes);
        this.#options.onLateOutput?.(stream, bytes);
      },
      onClosed: () => {
        if (this.#live === shell) this.#shellGone();
      },
    });
    if (this.#open !== open || this.#closed) {
      shell.close();
      throw appError('SESSION_LOST');
    }
    this.#live = shell;
    this.#stuck = null;
    this.#facts = factsOf(shell);
    this.#place = { directory: shell.greeting.directory, environment: shell.environment };
    return shell;
  }

  /** The shell went away. While a command runs, its own end tells; else the next command opens another. */
  #shellGone(): void {
    this.#keepPlace();
    if (this.#running === null) this.#live = null;
  }

  #keepPlace(): void {
    if (this.#live !== null && this.#place !== null) {
      this.#place = { directory: this.#place.directory, environment: this.#live.environment };
    }
  }

  #finish(run: CommandRun, end: RunEnd, shellRestarted: boolean): void {
    for (const notice of [...this.#notices.splice(0), ...this.#late.take()]) run.addNotice(notice);
    const fault = faultNotice(end);
    if (fault !== null) run.addNotice(fault);
    if (this.#running === run) this.#running = null;
    this.#retire(run);
    run.finish(endingOf(end, run.stopReason, this.workingDir, shellRestarted || run.inNewShell));
    this.#next();
  }

  #retire(run: CommandRun): void {
    this.#ended.push(run);
    const kept = this.#options.limits.keptCommands ?? KEPT_COMMANDS;
    for (const old of this.#ended.splice(0, Math.max(0, this.#ended.length - kept))) {
      void old.remove();
      this.#options.onForgotten?.(old);
    }
  }
}

/** `start()` has a shell when it did not throw. */
function neverStarted(): never {
  throw new Error('a shell that was opened has no facts');
}
