// A core in memory for tests of the MCP side: sessions without SSH, whose commands the test itself runs and ends.
import type {
  Actor,
  CommandView,
  ConnectedClient,
  JournalEvent,
  PauseState,
  SessionView,
  StreamName,
} from '../../src-shared/model/index.ts';
import { isFinal } from '../../src-shared/model/index.ts';
import { appError } from '../../src-shared/errors.ts';
import { createSecretNet } from '../../src-main/core/log/secret-net.ts';
import { systemClock } from '../../src-main/core/clock.ts';
import type { Core } from '../../src-main/core/core.ts';
import { Emitter } from '../../src-main/core/emitter.ts';
import { createPause } from '../../src-main/core/policy/pause.ts';
import { createClients } from '../../src-main/core/sessions/clients.ts';
import { SessionLease } from '../../src-main/core/sessions/lease.ts';
import type {
  Command,
  ConnectRequest,
  CoreEvents,
  KnownHost,
  RunRequest,
  Session,
  TerminalAnswer,
  TerminalRequest,
} from '../../src-main/core/sessions/port.ts';
import { SETTINGS } from '../../src-shared/settings/index.ts';
import type { Settings } from '../../src-shared/settings/index.ts';
import { GrowingStream } from './growing-stream.ts';

/** One line of the log. */
export interface LoggedLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The double, and the test's hold on it. */
export interface CoreDouble {
  readonly core: Core;
  readonly log: readonly LoggedLine[];
  readonly journal: readonly JournalEvent[];
  /** Opens a session without a tool call. */
  open(name: string): SessionDouble;
  session(name: string): SessionDouble;
  /** Requests that connect was called with. */
  readonly connects: readonly ConnectRequest[];
  /** What the next calls of connect reject with; undefined = they succeed. */
  failConnect(error: Error | undefined): void;
  readonly hosts: KnownHost[];
}

/** Makes one without sessions. */
export function createCoreDouble(): CoreDouble {
  const log: LoggedLine[] = [];
  const journal: JournalEvent[] = [];
  const sessions = new Map<string, SessionDouble>();
  const connects: ConnectRequest[] = [];
  const hosts: KnownHost[] = [];
  const events = new Emitter<CoreEvents>();
  const secrets = createSecretNet();
  const writer =
    (level: LoggedLine['level']) =>
    (message: string, details: Readonly<Record<string, unknown>> = {}): void =>
      void log.push({ level, message, details });
  let failure: Error | undefined;
  const pause = createPause({ onChange: () => undefined, cancelForAssistants: () => Promise.resolve() });
  const open = (name: string): SessionDouble => {
    const session = new SessionDouble(name, () => pause.state);
    sessions.set(name, session);
    return session;
  };
  const get = (name: string): SessionDouble => {
    const session = sessions.get(name);
    if (session !== undefined) return session;
    const names = [...sessions.keys()];
    throw appError('SESSION_NOT_FOUND', { message: `No session is named ${name}`, details: { sessions: names } });
  };
  const core: Core = {
    options: {
      settings: defaultSettings(),
      dataDir: '/nowhere',
      mode: 'headless',
      version: '0.0.0',
      log: { debug: writer('debug'), info: writer('info'), warn: writer('warn'), error: writer('error') },
      secrets,
    },
    events,
    pause,
    clients: createClients(systemClock, () => events.emit('clients.changed', undefined)),
    cards: {
      list: () => [],
      answerHostKey: () => Promise.resolve(false),
      addFault: () => undefined,
      dismiss: () => undefined,
    },
    journal: {
      append: (event) => {
        journal.push(event);
        return Promise.resolve();
      },
      search: () => Promise.resolve(journal.toReversed()),
      close: () => Promise.resolve(),
    },
    sessions: {
      connect: (request) => {
        connects.push(request);
        if (failure !== undefined) return Promise.reject(failure);
        return Promise.resolve(open(request.name));
      },
      list: () => [...sessions.values()],
      get,
      disconnect: (name) => {
        const ended = get(name).unfinished();
        sessions.delete(name);
        return Promise.resolve(ended);
      },
      hosts: () => Promise.resolve(hosts),
    },
    close: () => Promise.resolve(),
  };
  const failConnect = (error: Error | undefined): void => {
    failure = error;
  };
  return { core, log, journal, open, session: get, connects, failConnect, hosts };
}

function defaultSettings(): Settings {
  const values = Object.entries(SETTINGS).map(([name, setting]) => [name, setting.default]);
  // Each value is its own setting's default.
  return Object.fromEntries(values) as Settings;
}

/** A session of the double. */
export class SessionDouble implements Session {
  readonly lease: SessionLease;
  readonly transcript = new GrowingStream();
  readonly transcriptMark = 'mark';
  readonly ran: CommandDouble[] = [];
  readonly asked: TerminalRequest[] = [];
  readonly notices: string[] = [];
  terminalAnswer: TerminalAnswer = {
    ...{ output: '', screen: '', cursor: { row: 1, column: 1 }, matched: null, ended: false, truncated: false },
  };
  terminalFailure: Error | undefined;
  runFailure: Error | undefined;
  status: SessionView['status'] = 'connected';

  constructor(
    readonly name: string,
    private readonly pauseState: () => PauseState,
  ) {
    this.lease = new SessionLease({
      ...{ sessionName: name, clock: systemClock, busy: () => false },
      paused: () => this.pauseState() !== 'off',
      ...{
        onTaken: () => undefined,
        onReturned: (_person, note) => void this.notices.push(note),
        onChange: () => undefined,
      },
    });
  }

  get terminal(): Session['terminal'] {
    return {
      ...{ open: true, cols: 80, rows: 24, stream: new GrowingStream() },
      snapshot: () => Promise.resolve({ bytes: Buffer.alloc(0), offset: 0 }),
      ensureOpen: () => Promise.resolve(),
      type: () => Promise.resolve(),
      resize: () => undefined,
      converse: (request) => {
        this.asked.push(request);
        return this.terminalFailure === undefined
          ? Promise.resolve(this.terminalAnswer)
          : Promise.reject(this.terminalFailure);
      },
      onResize: () => () => undefined,
    };
  }

  view(): SessionView {
    const running = this.ran.find((command) => command.view().status === 'running')?.view() ?? null;
    return {
      ...{ name: this.name, host: '192.0.2.10', port: 22, username: 'deploy', kind: 'posix', status: this.status },
      ...{
        statusReason: null,
        retryAt: null,
        connectionTime: 1_000,
        lastActivity: 2_000,
        serverVersion: 'OpenSSH_9.9',
      },
      ...{
        fingerprint: 'SHA256:abc',
        hostKeyType: 'ssh-ed25519',
        banner: '',
        workingDir: '/home/deploy',
        shell: 'bash',
      },
      ...{ lease: this.lease.state(), busy: running !== null, running, queued: 0, lastExitCode: null, rttMs: 1.5 },
      ...{ reconnects: 0, bytesIn: 10, bytesOut: 20, terminalOpen: false },
    };
  }

  run(request: RunRequest, actor: Actor): Command {
    if (this.runFailure !== undefined) throw this.runFailure;
    const waits = this.ran.some((command) => !isFinal(command.view().status));
    const command = new CommandDouble(this.name, { request, actor, waits, number: this.ran.length });
    this.ran.push(command);
    return command;
  }

  command(id: string): CommandDouble {
    const command = this.ran.find((one) => one.id === id);
    if (command === undefined)
      throw appError('COMMAND_NOT_FOUND', { details: { commands: this.ran.map((one) => one.id) } });
    return command;
  }

  commands(): readonly Command[] {
    return this.ran;
  }

  unfinished(): readonly CommandView[] {
    return this.ran.map((command) => command.view()).filter((view) => !isFinal(view.status));
  }

  takeNotices(): readonly string[] {
    return this.notices.splice(0);
  }
}

interface NewCommand {
  readonly request: RunRequest;
  readonly actor: Actor;
  readonly waits: boolean;
  readonly number: number;
}

/** A command that ends when the test says so. */
export class CommandDouble implements Command {
  readonly fault = null;
  readonly id: string;
  readonly ended: Promise<void>;
  readonly notices: string[] = [];
  readonly cancels: string[] = [];
  readonly streams = { stdout: new GrowingStream(), stderr: new GrowingStream() };
  workingDirAfter: string | null = null;
  line = '';
  readonly request: RunRequest;
  #view: CommandView;
  #end: () => void = () => undefined;

  constructor(sessionName: string, { request, actor, waits, number }: NewCommand) {
    this.request = request;
    this.id = `c-${'abcdefghijklmnopqrstuvwxyz234567'[number % 32] ?? 'a'}aaaaaaaaaaa`;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#view = {
      ...{ commandId: this.id, sessionName, actor, command: request.command, status: waits ? 'queued' : 'running' },
      ...{
        exitCode: null,
        signal: null,
        workingDir: null,
        queuedAt: 1_000,
        startedAt: waits ? null : 2_000,
        endedAt: null,
      },
      ...{ stdoutBytes: 0, stderrBytes: 0, shellRestarted: false, queuePosition: waits ? 1 : null },
    };
  }

  view(): CommandView {
    return { ...this.#view, stdoutBytes: this.streams.stdout.length, stderrBytes: this.streams.stderr.length };
  }

  stream(name: StreamName): GrowingStream {
    return this.streams[name];
  }

  lastLine(): string {
    return this.line;
  }

  /** Ends it as given. */
  finish(changes: Partial<CommandView> = {}): void {
    this.#view = {
      ...this.#view,
      status: 'exited',
      exitCode: 0,
      startedAt: 2_000,
      endedAt: 3_000,
      queuePosition: null,
      ...changes,
    };
    this.workingDirAfter = '/home/deploy';
    this.streams.stdout.end();
    this.streams.stderr.end();
    this.#end();
  }

  cancel(_reason: 'cancelled' | 'timed_out', firstSignal = 'INT'): Promise<void> {
    this.cancels.push(firstSignal);
    this.finish({ status: 'cancelled', exitCode: 130, signal: firstSignal });
    return Promise.resolve();
  }

  onChange(): () => void {
    return () => undefined;
  }
}

/** The list of clients, by name. */
export const clientNames = (core: Core): readonly string[] =>
  core.clients.list().map((client: ConnectedClient) => client.name);
