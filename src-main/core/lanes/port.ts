// What the agent lane offers to a session: one persistent shell, one command after the other.
import type { Actor, CommandView, StreamName } from '../../../src-shared/model/index.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../core.ts';
import type { Command, RunRequest } from '../sessions/port.ts';
import type { ExecChannel } from '../ssh/port.ts';
import type { CommandRun } from './command-run.ts';
import type { DiskGuard } from './disk-guard.ts';
import type { Place } from './open-shell.ts';

/** Opens an exec channel on the session's connection; `SshConnection.exec` fits. */
export type OpenExec = (command: string) => Promise<ExecChannel>;

/** Bytes after which things are stopped. */
export interface LaneLimits {
  /** Most bytes of output one command may produce, both streams together; 0 = none (SPOOL_LIMIT). */
  readonly spoolBytes: number;
  /** Milliseconds within which the shell has to answer after its channel is open; default 15,000. */
  readonly greetingMs?: number;
  /** Ended commands whose output is kept; the oldest go first. Default 200. */
  readonly keptCommands?: number;
}

/** What the shell said about itself when it started. */
export interface ShellFacts {
  /** Such as `bash 5.2.15(1)-release`, `dash`, `BusyBox ash`. */
  readonly name: string;
  readonly kind: 'bash' | 'sh';
  /** Process id on the host. */
  readonly pid: number;
  /** As `umask` prints it. */
  readonly umask: string;
}

/** What a lane tells its session; all are called synchronously and must not throw. */
export interface LaneHooks {
  /** Status changes at once; byte counts at most every 100 ms. */
  readonly onCommandChange: (view: CommandView, command: Command) => void;
  /** A command is about to be sent to the shell: it waits for this. Must not reject. */
  readonly onStart?: (command: Command) => Promise<void>;
  /**
   * The turn of a durable command has come: starts it beside the lane, at the place of the lane's shell. Resolves when
   * it runs there, or has ended because it could not be started. Must not reject.
   */
  readonly onDetach?: (command: CommandRun, place: Place | null, open: OpenExec) => Promise<void>;
  /** An ended command, the oldest, is no longer kept: its output is gone. */
  readonly onForgotten?: (command: Command) => void;
  /** Each piece of output, already stored in the command's spool at `offset`. The buffer must not be changed. */
  readonly onOutput?: (command: Command, stream: StreamName, bytes: Buffer, offset: number) => void;
  /** What start-up files printed before the shell was ready; once per shell start, only if there was any. */
  readonly onNoise?: (bytes: Buffer) => void;
  /** Output of background jobs that came while no command was running; it also becomes a notice of the next command. */
  readonly onLateOutput?: (stream: StreamName, bytes: Buffer) => void;
  /** No signal reaches a command that is to be stopped: the connection is of no use and has to be made anew. */
  readonly onStuck?: (reason: string) => void;
  /** The shell ended and another one was started in its place (`restored` says what could not be brought back, if anything). */
  readonly onShellRestarted?: (facts: ShellFacts, problem: string | null) => void;
}

/** What a lane is made from. */
export interface AgentLaneOptions extends LaneHooks {
  readonly open: OpenExec;
  readonly sessionName: string;
  /** Existing folder, mode 0700; the lane makes its files in it and removes them. */
  readonly spoolDir: string;
  readonly limits: LaneLimits;
  readonly log: Log;
  /** Default: the real time. */
  readonly clock?: Clock;
  /** Default: 5 % or 1 GiB of the spool's disk stay free. */
  readonly guard?: DiskGuard;
}

/** The agent lane of one session. */
export interface AgentLane {
  /** The running (or last known) shell; null before the first has answered. */
  readonly shell: ShellFacts | null;
  /** Such as `bash 5.2.15(1)-release`. */
  readonly shellName: string | null;
  /** Directory after the last finished command; null before the shell has answered. */
  readonly workingDir: string | null;
  /** The command that runs now. */
  readonly running: Command | null;
  /**
   * Opens the shell; resolves when it has answered. Rejects with UNSUPPORTED (not a POSIX shell, or no channel) or
   * SESSION_LOST. After a rejection the lane is closed.
   */
  start(): Promise<ShellFacts>;
  /** Queues a command. A person's command passes those that a hold keeps waiting. Throws INVALID_PARAMS (NUL byte), SESSION_LOST (closed). */
  run(request: RunRequest, actor: Actor): Command;
  /** Throws COMMAND_NOT_FOUND with the ids that exist. */
  command(id: string): Command;
  /** Oldest first: ended ones that are kept, then the running one, then the queue. */
  commands(): readonly Command[];
  /** Assistants' queued commands wait until release(); what runs goes on. */
  hold(): void;
  release(): void;
  /** Adds a notice to the next command that starts (or has just started none): a person's note, "reconnected". */
  addNotice(text: string): void;
  /** The connection is gone: what runs ends as `lost` at once, what is queued waits for reattach() or close(). */
  connectionLost(reason: string): void;
  /**
   * A new connection is there: opens a shell, restores directory and exported variables, goes on with the queue.
   * Resolves with a sentence about what could not be restored, or null. Rejects like start(), but leaves the lane waiting.
   */
  reattach(open: OpenExec): Promise<string | null>;
  /** Ends queued commands as cancelled; with `running`, stops what runs too. Resolves when all have ended. */
  cancelAll(what: { readonly running: boolean }): Promise<void>;
  /** Ends everything as cancelled (`lost` when the connection is gone) and removes the spool. Resolves with the final views of what had not ended. */
  close(): Promise<readonly CommandView[]>;
}
