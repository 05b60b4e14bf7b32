// The durable commands of one session: started when their turn comes, followed beside the lane, found again later.
import { AppError, appError } from '../../../src-shared/errors.ts';
import type { CommandView } from '../../../src-shared/model/index.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../core.ts';
import { CommandRun } from '../lanes/command-run.ts';
import { createDiskGuard } from '../lanes/disk-guard.ts';
import type { Place } from '../lanes/open-shell.ts';
import type { LaneHooks, LaneLimits, OpenExec } from '../lanes/port.ts';
import { createSpools } from '../lanes/spool.ts';
import { randomWord } from '../shells/nonce.ts';
import { DurableRun } from './durable-run.ts';
import type { DurableRecord, DurableRecords } from './records.ts';
import { RemoteJob } from './remote-job.ts';

/** Ended durable commands whose output is kept. */
const KEPT = 50;

/** What every record says about the session. */
export type RecordOfSession = Pick<
  DurableRecord,
  'sessionName' | 'host' | 'port' | 'username' | 'fingerprint' | 'hostKeyType' | 'login'
>;

/** What they need. */
export interface DurableRunsOptions {
  readonly sessionName: string;
  readonly spoolDir: string;
  readonly limits: LaneLimits;
  readonly clock: Clock;
  readonly log: Log;
  readonly records: DurableRecords;
  readonly hooks: Pick<LaneHooks, 'onCommandChange' | 'onOutput' | 'onForgotten'>;
  /** How the session stands now, for the records. */
  readonly about: () => RecordOfSession;
}

/** See the file's first line. */
export class DurableRuns {
  readonly #options: DurableRunsOptions;
  readonly #alive = new Map<string, DurableRun>();
  /** As they are on disk: they say where a command was started, whatever the session's address is now. */
  readonly #records = new Map<string, DurableRecord>();
  #ended: CommandRun[] = [];
  #open: OpenExec | null = null;

  constructor(options: DurableRunsOptions) {
    this.#options = options;
  }

  /** Oldest first: ended ones that are kept, then those that run. */
  commands(): readonly CommandRun[] {
    return [...this.#ended, ...[...this.#alive.values()].map(({ run }) => run)];
  }

  /** The records of those that have not ended. */
  records(): readonly DurableRecord[] {
    return [...this.#alive.values()].map(({ run, folder }) => this.#records.get(run.id) ?? this.#recordOf(run, folder));
  }

  /** Whether any has not ended. */
  get unfinished(): boolean {
    return this.#alive.size > 0;
  }

  /**
   * Starts a command whose turn has come, where the session's shell is. Resolves when it runs, or when it has ended
   * because it could not be started; never rejects.
   */
  async launch(run: CommandRun, place: Place | null, open: OpenExec): Promise<void> {
    let job: RemoteJob | null = null;
    try {
      job = await RemoteJob.open(open);
      const problem = await job.goTo(place);
      if (problem !== null) run.addNotice(problem);
      await this.#start(run, job, open);
    } catch (error) {
      job?.close();
      // On record and cut off: only the host knows whether it runs.
      if (run.detached !== null) return this.#alive.get(run.id)?.detach('while it was started');
      await this.#options.records.drop(run.id).catch(() => undefined);
      this.#refuse(run, error);
    }
  }

  /** Shows a command of an earlier run of the app; {@link attach} then goes on with it. */
  adopt(record: DurableRecord): CommandRun {
    const { clock, sessionName, hooks } = this.#options;
    const { commandId: id, command, timeoutMs, queuedAt, startedAt, workingDir, actor } = record;
    const run = new CommandRun({
      ...{ actor, sessionName, clock, request: { command, timeoutMs, durable: true } },
      resumed: { id, queuedAt, startedAt, workingDir },
      spools: () => this.#spools(id),
      position: () => null,
      cancel: async () => undefined,
      onChange: (changed) => hooks.onCommandChange(changed.view(), changed),
    });
    this.#records.set(id, record);
    this.#add(run, record.folder);
    return run;
  }

  /** A connection is there. */
  async attach(open: OpenExec): Promise<void> {
    this.#open = open;
    const alive = [...this.#alive.values()];
    for (const durable of alive) durable.attach(open);
    // The way in may be another one than last time.
    for (const { run, folder } of alive) {
      if (run.final) continue;
      await this.#keep(run, folder).catch((error: unknown) =>
        this.#options.log.warn('a record was not renewed', { error: String(error) }),
      );
      // It may have ended meanwhile, and its record has to stay away.
      if (run.final) await this.#options.records.drop(run.id).catch(() => undefined);
    }
  }

  detach(reason: string): void {
    this.#open = null;
    for (const durable of this.#alive.values()) durable.detach(reason);
  }

  /** Follows none any more; commands and records stay for the next connection or the next start. */
  async leave(): Promise<void> {
    const left = [...this.#alive.values()];
    for (const durable of left) durable.leave();
    await Promise.all(left.map(({ run }) => run.remove()));
    this.#alive.clear();
    await Promise.all(this.#ended.map((run) => run.remove()));
  }

  /** Ends all: stops those that can be reached, gives up the others. Resolves with what had not ended. */
  async close(): Promise<readonly CommandView[]> {
    const open = [...this.#alive.values()];
    await Promise.all(
      open.map((durable) => (this.#open === null ? durable.giveUp() : durable.cancel('cancelled', 'INT'))),
    );
    await Promise.all(open.filter(({ run }) => !run.final).map((durable) => durable.giveUp()));
    await Promise.all(this.#ended.map((run) => run.remove()));
    return open.map(({ run }) => run.view());
  }

  async #start(run: CommandRun, job: RemoteJob, open: OpenExec): Promise<void> {
    const { command, workingDir, stdin } = run.request;
    if (workingDir !== undefined && !(await job.enter(workingDir))) throw noDirectory(workingDir);
    const folder = await job.prepare(randomWord(24), command, stdin);
    // On record before it runs: whatever happens to the app from here on, it is found again.
    await this.#keep(run, folder);
    try {
      await job.start(folder);
    } catch (error) {
      if (error instanceof AppError && error.code === 'SESSION_LOST') this.#add(run, folder);
      throw error;
    }
    const durable = this.#add(run, folder);
    this.#open = open;
    durable.attach(open, job);
  }

  /** A command that never ran: its error is the answer to the call. */
  #refuse(run: CommandRun, error: unknown): void {
    const fault =
      error instanceof AppError
        ? error
        : appError('STORAGE_ERROR', { message: 'The durable command could not be put on record', cause: error });
    run.fault = fault;
    run.addNotice(`The command was not started: ${fault.message}.`);
    run.finish({ status: 'cancelled', exitCode: null, signal: null, workingDir: null, shellRestarted: false });
    this.#keepEnded(run);
  }

  #add(run: CommandRun, folder: string): DurableRun {
    const { clock, log, limits, hooks, records } = this.#options;
    const durable: DurableRun = new DurableRun({
      ...{ run, folder, clock, log, limits, onOutput: hooks.onOutput },
      onEnded: async () => {
        this.#alive.delete(run.id);
        this.#records.delete(run.id);
        this.#keepEnded(run);
        await records.drop(run.id).catch((error: unknown) => log.warn('a record stays', { error: String(error) }));
      },
    });
    this.#alive.set(run.id, durable);
    return durable;
  }

  #keepEnded(run: CommandRun): void {
    this.#ended.push(run);
    for (const old of this.#ended.splice(0, Math.max(0, this.#ended.length - KEPT))) {
      void old.remove();
      this.#options.hooks.onForgotten?.(old);
    }
  }

  async #keep(run: CommandRun, folder: string): Promise<void> {
    const record = this.#recordOf(run, folder);
    this.#records.set(run.id, record);
    await this.#options.records.keep(record);
  }

  #recordOf(run: CommandRun, folder: string): DurableRecord {
    const { queuedAt, startedAt, workingDir } = run.view();
    const { command, timeoutMs } = run.request;
    const times = { queuedAt, startedAt: startedAt ?? queuedAt };
    return {
      ...{ version: 1, commandId: run.id, ...this.#options.about(), folder, actor: run.actor, command },
      ...{ workingDir, timeoutMs, ...times },
    };
  }

  #spools(id: string) {
    const onFault = (error: AppError): void => {
      const durable = this.#alive.get(id);
      durable?.run.addNotice(`${error.message}.`);
      void durable?.cancel('cancelled', 'KILL');
    };
    const { spoolDir } = this.#options;
    return createSpools(spoolDir, id, { guard: createDiskGuard(spoolDir), onFault });
  }
}

const noDirectory = (directory: string): Error =>
  appError('INVALID_PARAMS', {
    message: `workingDir could not be entered: ${directory}`,
    details: { field: 'workingDir', value: directory },
  });
