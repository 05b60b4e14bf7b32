// The core's public face: everything that MCP, gateway, app and headless program use of it.
import type { Actor, Card, ConnectedClient, JournalEvent } from '../../src-shared/model/index.ts';
import type { Settings } from '../../src-shared/settings/index.ts';
import type { Emitter } from './emitter.ts';
import type { CoreEvents, Pause, Sessions } from './sessions/port.ts';

/** A structured log; messages are fixed texts, what varies goes into details. Known secrets are searched for and replaced. */
export interface Log {
  debug(message: string, details?: Readonly<Record<string, unknown>>): void;
  info(message: string, details?: Readonly<Record<string, unknown>>): void;
  warn(message: string, details?: Readonly<Record<string, unknown>>): void;
  error(message: string, details?: Readonly<Record<string, unknown>>): void;
}

/** The second net: replaces known secrets of six characters or more in our own texts. */
export interface SecretNet {
  /** Remembers a secret for the life of the process. */
  learn(secret: string): void;
  redact(text: string): string;
}

/** Append-only journal. */
export interface Journal {
  /** Stores one event; resolves when the line is with the operating system. Never rejects: faults become a card. */
  append(event: JournalEvent): Promise<void>;
  /** Newest first. */
  search(query: {
    readonly text?: string;
    readonly session?: string;
    readonly limit: number;
  }): Promise<readonly JournalEvent[]>;
  close(): Promise<void>;
}

/** The cards under "Needs you". */
export interface Cards {
  list(): readonly Card[];
  /** A person's answer to a host key card; false when the card is gone. */
  answerHostKey(id: string, trust: boolean, actor: Actor): Promise<boolean>;
  addFault(title: string, text: string): void;
  dismiss(id: string): void;
}

/** MCP clients that are connected, for views and for the idle exit. */
export interface Clients {
  list(): readonly ConnectedClient[];
  add(client: ConnectedClient): void;
  /** Marks as seen now; changes name and version when they became known. */
  touch(id: string, about?: { readonly name: string; readonly version: string }): void;
  remove(id: string): void;
}

/** What createCore gets. */
export interface CoreOptions {
  readonly settings: Settings;
  /** Absolute path; exists, mode 0700. */
  readonly dataDir: string;
  readonly mode: 'app' | 'headless';
  readonly version: string;
  readonly log: Log;
  readonly secrets: SecretNet;
}

/** The core. */
export interface Core {
  readonly options: CoreOptions;
  readonly events: Emitter<CoreEvents>;
  readonly sessions: Sessions;
  readonly pause: Pause;
  readonly journal: Journal;
  readonly cards: Cards;
  readonly clients: Clients;
  /** Closes every session, flushes the journal, removes the spool. */
  close(reason: string): Promise<void>;
}
