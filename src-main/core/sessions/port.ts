// What sessions offer to tool handlers and to the gateway.
import type {
  Actor,
  ClientActor,
  CommandView,
  PauseState,
  PersonActor,
  SessionView,
  StreamName,
} from '../../../src-shared/model/index.ts';
import type { Credentials } from '../ssh/port.ts';

/** A stream of bytes with absolute offsets that can be read while it grows (or after). */
export interface ByteStream {
  /** Bytes stored so far; grows. */
  readonly length: number;
  /** Nothing will be added any more. */
  readonly ended: boolean;
  /** First byte that can still be read; absent where nothing is ever dropped (only the terminal's stream drops). */
  readonly start?: number;
  /** Up to `limit` bytes from `offset`; empty at the end. Rejects with STORAGE_ERROR, also before `start`. */
  read(offset: number, limit: number): Promise<Buffer>;
  /** Tells when bytes were added or the stream ended. */
  onChange(listener: () => void): () => void;
}

/** A request to run a command. */
export interface RunRequest {
  readonly command: string;
  readonly workingDir?: string;
  readonly stdin?: Uint8Array;
  /** Milliseconds from the command's start after which it is stopped as timed_out. */
  readonly timeoutMs: number;
  /** It outlives the connection and the app, see core/durable. */
  readonly durable?: boolean;
}

/** One run: queued, running or ended. */
export interface Command {
  readonly id: string;
  /** A snapshot. */
  view(): CommandView;
  stream(name: StreamName): ByteStream;
  /** Directory after the command; null while unknown. */
  readonly workingDirAfter: string | null;
  /** What the assistant should know about this run, such as that the session had reconnected. */
  readonly notices: readonly string[];
  /** Why a durable command could not be started at all; null in every other case. */
  readonly fault: Error | null;
  /** Resolves when the status is final; never rejects. */
  readonly ended: Promise<void>;
  /** Last non-empty line of output so far, plain text, at most 200 characters: for progress messages. */
  lastLine(): string;
  /** Stops it; resolves when it has ended (at most about 10 s: INT, TERM, KILL, then a new shell). */
  cancel(reason: 'cancelled' | 'timed_out', firstSignal?: 'INT' | 'TERM' | 'KILL'): Promise<void>;
  onChange(listener: () => void): () => void;
}

/** What ssh_terminal asks for. */
export interface TerminalRequest {
  readonly input: string;
  readonly keys: readonly string[];
  readonly waitFor: RegExp | null;
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/** What ssh_terminal gets. */
export interface TerminalAnswer {
  /** New output as plain text (control sequences removed). */
  readonly output: string;
  readonly screen: string;
  readonly cursor: { readonly row: number; readonly column: number };
  readonly matched: boolean | null;
  readonly ended: boolean;
  /** `output` is only the end of what is new. */
  readonly truncated: boolean;
}

/** The PTY of a session. */
export interface TerminalLane {
  readonly open: boolean;
  readonly cols: number;
  readonly rows: number;
  /** Raw output with absolute offsets. */
  readonly stream: ByteStream;
  /** A drawing of the state at `offset`, to be written to a fresh emulator before the bytes from `offset` on. */
  snapshot(): Promise<{ readonly bytes: Buffer; readonly offset: number }>;
  /** Opens the PTY if it is not open. */
  ensureOpen(size: { readonly cols: number; readonly rows: number }): Promise<void>;
  /** Types bytes as they are. The caller has checked the lease. */
  type(bytes: Uint8Array): Promise<void>;
  resize(cols: number, rows: number): void;
  converse(request: TerminalRequest): Promise<TerminalAnswer>;
  onResize(listener: () => void): () => void;
}

/** Who may type in one session. */
export interface Lease {
  /** Throws HUMAN_IN_CONTROL when a person holds it; else marks the client as driving. */
  useAsClient(client: ClientActor): void;
  /** Checks only: throws HUMAN_IN_CONTROL when a person holds it. */
  check(): void;
  take(person: PersonActor): void;
  /** Gives it back; the note reaches the assistant with its next result. */
  handBack(person: PersonActor, note: string): void;
  readonly heldByPerson: boolean;
}

/** One open session. */
export interface Session {
  readonly name: string;
  view(): SessionView;
  readonly lease: Lease;
  readonly terminal: TerminalLane;
  /** The Commands pane: marks, headers and output of all commands as one stream (see protocol/transcript.ts). */
  readonly transcript: ByteStream;
  /** Secret word of the transcript's marks. */
  readonly transcriptMark: string;
  /** Queues a command; it starts when its turn comes. Throws SESSION_LOST, UNSUPPORTED (no POSIX shell), INVALID_PARAMS (NUL byte). */
  run(request: RunRequest, actor: Actor): Command;
  /** Throws COMMAND_NOT_FOUND with the ids that exist. */
  command(id: string): Command;
  /** Oldest first: all that are queued or running and the recent ended ones. */
  commands(): readonly Command[];
  /** Takes what waits for the next result: a note of the person, a reconnect. */
  takeNotices(): readonly string[];
}

/** A request to open a session. */
export interface ConnectRequest {
  readonly name: string;
  readonly host: string;
  readonly port?: number;
  readonly credentials?: Credentials;
}

/** A host that ssh_connect understands by alias. */
export interface KnownHost {
  readonly alias: string;
  readonly host: string;
  readonly port: number;
  readonly username: string | null;
  readonly keyFiles: readonly string[];
  readonly source: 'ssh_config' | 'saved';
}

/** All sessions. */
export interface Sessions {
  /** Opens one; rejects with SESSION_EXISTS, SESSION_LIMIT and the codes of {@link import('../ssh/port.ts').Connect}. */
  connect(request: ConnectRequest, actor: Actor, signal: AbortSignal): Promise<Session>;
  list(): readonly Session[];
  /** Throws SESSION_NOT_FOUND with the names that exist. */
  get(name: string): Session;
  /** Closes it; what was running or queued is ended as cancelled and returned. */
  disconnect(name: string, actor: Actor, reason: string): Promise<readonly CommandView[]>;
  hosts(): Promise<readonly KnownHost[]>;
}

/** The pause switch over all assistants. */
export interface Pause {
  readonly state: PauseState;
  /** `input` stops new input of assistants, `all` also cancels what runs for them. */
  set(state: PauseState, actor: Actor): Promise<void>;
  /** Throws PAUSED when assistants may not type. */
  check(): void;
}

/** What the core tells everybody. */
export interface CoreEvents {
  'session.changed': SessionView;
  'session.removed': { readonly name: string };
  'command.changed': CommandView;
  'cards.changed': undefined;
  'pause.changed': PauseState;
  'clients.changed': undefined;
  'terminal.resized': { readonly session: string; readonly cols: number; readonly rows: number };
}
