// One open session: its connection, its lanes, its lease, and what becomes of them when the connection is lost.
import fs from 'node:fs/promises';
import { AppError, appError } from '../../../src-shared/errors.ts';
import type { Actor, CommandView, JournalEvent, SessionKind, SessionView } from '../../../src-shared/model/index.ts';
import type { Clock } from '../clock.ts';
import type { Journal, Log } from '../core.ts';
import { DurableRuns } from '../durable/durable-runs.ts';
import type { DurableRecord, DurableRecords } from '../durable/records.ts';
import { createAgentLane } from '../lanes/agent-lane.ts';
import type { AgentLane, LaneLimits } from '../lanes/port.ts';
import type { ShellChannel } from '../ssh/port.ts';
import { cleanText } from '../ssh/printable.ts';
import { PtyLane } from '../terminal/terminal-lane.ts';
import { coalesce } from './coalesce.ts';
import type { Coalesced } from './coalesce.ts';
import { CommandRecord } from './command-record.ts';
import { SessionLease } from './lease.ts';
import { Link } from './link.ts';
import type { LinkOptions } from './link.ts';
import type { Command, RunRequest, Session } from './port.ts';
import { reconnect } from './reconnect.ts';
import type { ReconnectOutcome } from './reconnect.ts';
import { aboutOf, sessionView } from './session-view.ts';
import type { SessionState } from './session-view.ts';
import { backNotice, endedAfterLogin, lostError, noShell, otherKey, returnedNotice } from './session-words.ts';
import { ShellOpener } from './shell-opener.ts';
import type { PtyRequest } from './shell-opener.ts';
import { Transcript } from './transcript.ts';

/** Views hear of a session at most this often. */
const CHANGE_EVERY_MS = 100;
/** Round-trip time and byte counts change without an event; views see them this often. */
const COUNTERS_EVERY_MS = 5000;

const SYSTEM: Actor = { kind: 'system' };

/** What a session is made from. */
export interface SessionOptions {
  readonly name: string;
  readonly clock: Clock;
  readonly link: Omit<LinkOptions, 'onLost'>;
  /** Existing folder of this session's own. */
  readonly spoolDir: string;
  readonly limits: LaneLimits;
  readonly durable: DurableRecords;
  readonly journal: Journal;
  readonly log: Log;
  readonly paused: () => boolean;
  readonly onChange: (view: SessionView) => void;
  readonly onCommandChange: (view: CommandView) => void;
  readonly onTerminalResize: (cols: number, rows: number) => void;
}

/** A session over SSH. */
export class SshSession implements Session {
  readonly lease: SessionLease;
  readonly terminal: PtyLane;
  readonly transcript = new Transcript();
  readonly #options: SessionOptions;
  readonly #link: Link;
  readonly #shells: ShellOpener;
  readonly #record: CommandRecord;
  readonly #durable: DurableRuns;
  readonly #changes: Coalesced;
  readonly #closing = new AbortController();
  readonly #connectionTime: number;
  #lane: AgentLane | null = null;
  #kind: SessionKind = 'posix';
  #state: SessionState = { status: 'connecting', reason: null, retryAt: null };
  #lastActivity: number;
  #reconnects = 0;
  #held = false;
  #notices: string[] = [];

  constructor(options: SessionOptions) {
    const { clock, name, journal } = options;
    this.#options = options;
    this.#connectionTime = clock.now();
    this.#lastActivity = clock.now();
    this.#link = new Link({ ...options.link, onLost: (reason) => this.#lost(reason) });
    this.#shells = new ShellOpener(this.#link, options.link, this.#closing.signal);
    this.#record = new CommandRecord(this.transcript, journal, clock);
    this.#durable = this.#makeDurable();
    this.#changes = coalesce(clock, CHANGE_EVERY_MS, () => options.onChange(this.view()));
    this.terminal = new PtyLane({
      clock,
      openShell: async (request) => this.#openShell(request),
      onActivity: () => {
        if (!this.terminal.open) this.#shells.closed();
        this.#active();
      },
    });
    this.terminal.onResize(() => options.onTerminalResize(this.terminal.cols, this.terminal.rows));
    this.lease = new SessionLease({
      sessionName: name,
      clock,
      busy: () => this.#unended().some((command) => command.view().actor.kind === 'client'),
      paused: options.paused,
      onTaken: (person) => {
        this.applyHold();
        this.#note({ type: 'lease.taken', at: clock.now(), actor: person, session: name });
      },
      onReturned: (person, given) => {
        const note = cleanText(given).trim();
        this.applyHold();
        this.#notices.push(returnedNotice(note));
        this.#note({ type: 'lease.returned', at: clock.now(), actor: person, session: name, note });
      },
      onChange: () => this.#changes.poke(),
    });
  }

  get name(): string {
    return this.#options.name;
  }

  get transcriptMark(): string {
    return this.transcript.mark;
  }

  /** Given up, or known from before a restart: only closing or connecting anew helps. */
  get isLost(): boolean {
    return this.#state.status === 'lost' || this.#state.status === 'needs_connect';
  }

  /** The unfinished durable commands that a new connection under the same name has to take over. */
  get unfinished(): readonly DurableRecord[] {
    return this.#durable.records();
  }

  view(): SessionView {
    return sessionView({
      name: this.name,
      kind: this.#kind,
      state: this.#state,
      connectionTime: this.#connectionTime,
      lastActivity: this.#lastActivity,
      reconnects: this.#reconnects,
      link: this.#link,
      lane: this.#lane,
      durable: this.#durable.commands(),
      lease: this.lease.state(),
      terminalOpen: this.terminal.open,
    });
  }

  run(request: RunRequest, actor: Actor): Command {
    const { status } = this.#state;
    if (status !== 'connected' && status !== 'reconnecting') throw lostError(this.name, this.#state);
    if (this.#lane === null) throw noShell(this.name);
    this.#active();
    return this.#lane.run(request, actor);
  }

  command(id: string): Command {
    const durable = this.#durable.commands().find((command) => command.id === id);
    if (durable !== undefined) return durable;
    if (this.#lane !== null) return this.#lane.command(id);
    throw appError('COMMAND_NOT_FOUND', { details: { session: this.name, commandId: id, commands: [] } });
  }

  commands(): readonly Command[] {
    const durable = this.#durable.commands();
    const others = this.#lane?.commands() ?? [];
    // Those that are queued have no start and come last.
    const startOf = (command: Command): number => command.view().startedAt ?? Infinity;
    return durable.length === 0 ? others : [...others, ...durable].toSorted((a, b) => startOf(a) - startOf(b));
  }

  takeNotices(): readonly string[] {
    const taken = this.#notices;
    this.#notices = [];
    if (this.#state.status !== 'reconnecting') return taken;
    return [...taken, `The connection is lost (${this.#state.reason ?? 'unknown'}); it is being made again.`];
  }

  /** Adds what the assistant has to hear with the next result. */
  tell(notice: string): void {
    this.#notices.push(notice);
  }

  /** Connects, logs in and starts the shell. Rejects with the codes of a connect; then the session is to be closed. */
  async open(signal: AbortSignal): Promise<void> {
    const giveUp = (): void => this.#link.close();
    const connection = await this.#link.open(signal);
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      this.#checkKey();
      // Nothing POSIX is sent to a host that says it is Windows.
      if (/windows/i.test(connection.serverVersion)) this.#kind = 'device';
      else await this.#startLane();
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
    if (!this.#link.connected) throw endedAfterLogin();
    this.#become({ status: 'connected', reason: null, retryAt: null });
    this.#followDurable();
    const { host, port, username } = this.view();
    this.#note({
      ...{ type: 'session.opened', at: this.#options.clock.now(), actor: this.#options.link.actor },
      ...{ session: this.name, host, port, username, fingerprint: connection.fingerprint },
    });
    this.applyHold();
    this.#watchCounters();
  }

  /** Takes over durable commands of an earlier connection; {@link open} then goes on with them. */
  adopt(records: readonly DurableRecord[]): void {
    for (const record of records) this.#record.resumed(this.#durable.adopt(record));
  }

  /** Shows a session of before the restart that waits for its connection, with the durable commands it has. */
  waitForConnect(records: readonly DurableRecord[], reason: string): void {
    this.adopt(records);
    this.#become({ status: 'needs_connect', reason, retryAt: null });
  }

  /** A try to connect again by itself is planned, or has failed for good. */
  plan(retryAt: number | null, reason: string): void {
    if (this.#state.status === 'needs_connect') this.#become({ status: 'needs_connect', reason, retryAt });
  }

  /** Holds or releases what is queued, by lease and pause; to be called when either has changed. */
  applyHold(): void {
    const hold = this.lease.heldByPerson || this.#options.paused();
    if (this.#lane !== null && hold !== this.#held) {
      this.#held = hold;
      if (hold) this.#lane.hold();
      else this.#lane.release();
    }
    this.#changes.poke();
  }

  /** Cancels what runs or waits for assistants; resolves when it has ended. */
  async cancelForAssistants(): Promise<void> {
    const theirs = this.#unended().filter((command) => command.view().actor.kind === 'client');
    await Promise.all(theirs.map((command) => command.cancel('cancelled')));
  }

  /** Ends everything but durable commands, which go on and stay on record: the app ends, or a new connection takes over. */
  async leave(actor: Actor, reason: string): Promise<readonly CommandView[]> {
    await this.#durable.leave();
    return this.close(actor, reason);
  }

  /** Ends everything. Resolves with what had not ended. */
  async close(actor: Actor, reason: string): Promise<readonly CommandView[]> {
    const wasOpen = !['connecting', 'needs_connect'].includes(this.#state.status);
    this.#state = { status: 'closed', reason, retryAt: null };
    this.#closing.abort();
    this.lease.close();
    this.terminal.close();
    const ended = [...((await this.#lane?.close()) ?? []), ...(await this.#durable.close())];
    await fs.rm(this.#options.spoolDir, { recursive: true, force: true });
    this.transcript.close();
    this.#link.close();
    this.#changes.close();
    if (wasOpen) {
      const at = this.#options.clock.now();
      await this.#options.journal.append({ type: 'session.closed', at, actor, session: this.name, reason });
    }
    return ended;
  }

  #makeDurable(): DurableRuns {
    const { name: sessionName, spoolDir, limits, clock, log, durable: records } = this.#options;
    return new DurableRuns({
      ...{ sessionName, spoolDir, limits, clock, log, records },
      hooks: {
        onCommandChange: (view, command) => this.#commandChanged(view, command),
        onOutput: (command, stream, bytes, offset) => {
          this.transcript.output(command, stream, bytes, offset);
          this.#lastActivity = clock.now();
        },
        onForgotten: (command) => this.transcript.forget(command.id),
      },
      about: () => aboutOf(this.view(), this.#link.target),
    });
  }

  /** Only the host on which a durable command was started is asked for it. */
  #checkKey(): void {
    const { fingerprint } = this.view();
    const other = this.unfinished.find((record) => record.fingerprint !== fingerprint);
    if (other !== undefined) throw otherKey(this.name, other.fingerprint, fingerprint);
  }

  #followDurable(): void {
    void this.#durable.attach((command) => this.#link.connection.exec(command));
  }

  async #startLane(): Promise<void> {
    const lane = createAgentLane({
      open: (command) => this.#link.connection.exec(command),
      sessionName: this.name,
      spoolDir: this.#options.spoolDir,
      limits: this.#options.limits,
      log: this.#options.log,
      onCommandChange: (view, command) => this.#commandChanged(view, command),
      onStart: () => this.#record.stored(),
      onDetach: (command, place, open) => this.#durable.launch(command, place, open),
      onForgotten: (command) => this.transcript.forget(command.id),
      onOutput: (command, stream, bytes, offset) => {
        this.transcript.output(command, stream, bytes, offset);
        this.#lastActivity = this.#options.clock.now();
      },
      onNoise: (bytes) => this.transcript.noise(bytes),
      onLateOutput: (stream, bytes) => this.transcript.late(stream, bytes),
      onShellRestarted: () => this.#changes.poke(),
      onStuck: (reason) => this.#link.giveUp(reason),
    });
    try {
      await lane.start();
      this.#lane = lane;
    } catch (error) {
      if (!this.#link.connected) throw endedAfterLogin(error);
      if (!(error instanceof AppError) || error.code !== 'UNSUPPORTED') throw error;
      this.#options.log.info('no POSIX shell', { session: this.name, reason: error.message });
      this.#kind = 'device';
      this.#shells.execWasRefused();
    }
  }

  #openShell(request: PtyRequest): Promise<ShellChannel> {
    if (!this.#link.connected) throw lostError(this.name, this.#state);
    return this.#shells.open(request);
  }

  #commandChanged(view: CommandView, command: Command): void {
    this.#record.changed(view, command);
    this.#lastActivity = this.#options.clock.now();
    this.#options.onCommandChange(view);
    this.#changes.poke();
  }

  #lost(reason: string): void {
    // While connecting or reconnecting the attempt that is under way fails by itself.
    if (this.#state.status !== 'connected') return;
    const { clock } = this.#options;
    this.#lane?.connectionLost(reason);
    this.#durable.detach(reason);
    this.transcript.note(`[connection lost: ${reason}]`);
    this.#note({ type: 'session.lost', at: clock.now(), actor: SYSTEM, session: this.name, reason });
    if (this.#kind === 'device' && this.terminal.endedByHost) {
      // A device that logs its user out would be logged into again and again.
      this.#become({ status: 'lost', reason: 'ended by the host (log-out or idle time-out)', retryAt: null });
      return;
    }
    this.#become({ status: 'reconnecting', reason, retryAt: null });
    void this.#comeBack(reason);
  }

  async #comeBack(reason: string): Promise<void> {
    const { clock } = this.#options;
    const outcome = await reconnect({
      clock,
      signal: this.#closing.signal,
      attempt: (signal) => this.#attempt(reason, signal),
      onPlanned: (retryAt, error) => {
        const last = error instanceof Error ? `${reason}; last attempt: ${error.message}` : reason;
        this.#become({ status: 'reconnecting', reason: last, retryAt });
      },
    });
    await this.#cameBack(outcome, reason);
  }

  async #attempt(reason: string, signal: AbortSignal): Promise<void> {
    this.#become({ ...this.#state, retryAt: null });
    await this.#link.open(signal);
    let problem: string | null;
    try {
      this.#checkKey();
      problem = (await this.#lane?.reattach((command) => this.#link.connection.exec(command))) ?? null;
    } catch (error) {
      this.#link.close();
      throw error;
    }
    if (!this.#link.connected) throw lostError(this.name, this.#state);
    // Nothing may come between the shell's answer and this: a loss from here on counts as a new one.
    this.#reconnects += 1;
    this.#notices.push(backNotice(reason, this.#lane !== null, problem));
    this.#become({ status: 'connected', reason: null, retryAt: null });
    this.#followDurable();
  }

  async #cameBack(outcome: ReconnectOutcome, reason: string): Promise<void> {
    if (outcome.kind === 'stopped') return;
    if (outcome.kind === 'back') {
      const { attempts } = outcome;
      this.transcript.note('[connected again]');
      const at = this.#options.clock.now();
      this.#note({ type: 'session.reconnected', at, actor: SYSTEM, session: this.name, attempts });
      return;
    }
    const why = outcome.error instanceof Error ? `${reason}; ${outcome.error.message}` : reason;
    const status = this.#durable.unfinished ? 'needs_connect' : 'lost';
    this.#become({ status, reason: why, retryAt: null });
    await this.#lane?.cancelAll({ running: true });
  }

  #become(state: SessionState): void {
    if (this.#closing.signal.aborted) return;
    this.#state = state;
    this.#changes.poke();
  }

  #active(): void {
    this.#lastActivity = this.#options.clock.now();
    this.#changes.poke();
  }

  #unended(): readonly Command[] {
    return this.commands().filter((command) => command.view().endedAt === null);
  }

  #note(event: JournalEvent): void {
    void this.#options.journal.append(event);
  }

  #watchCounters(seen = ''): void {
    const now = `${this.#link.rttMs ?? ''} ${this.#link.bytesIn} ${this.#link.bytesOut}`;
    if (now !== seen) this.#changes.poke();
    const cancel = this.#options.clock.after(COUNTERS_EVERY_MS, () => {
      this.#closing.signal.removeEventListener('abort', cancel);
      if (!this.#closing.signal.aborted) this.#watchCounters(now);
    });
    this.#closing.signal.addEventListener('abort', cancel, { once: true });
  }
}
