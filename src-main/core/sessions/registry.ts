// All sessions by name: opens, finds and closes them, within the limit.
import { appError } from '../../../src-shared/errors.ts';
import { SESSION_NAME_MAX, sessionNameSchema } from '../../../src-shared/model/index.ts';
import type { Actor, CommandView } from '../../../src-shared/model/index.ts';
import type { Clock } from '../clock.ts';
import type { DurableRecord } from '../durable/records.ts';
import type { ConnectTarget } from '../ssh/port.ts';
import type { ConnectRequest, KnownHost, Session, Sessions } from './port.ts';
import { reconnect } from './reconnect.ts';
import { WAITING_REASON, otherTarget } from './session-words.ts';
import type { SshSession } from './session.ts';

/** What the registry needs to open sessions. */
export interface RegistryOptions {
  readonly maxSessions: number;
  readonly clock: Clock;
  readonly resolveTarget: (request: ConnectRequest) => Promise<ConnectTarget>;
  readonly hosts: () => Promise<readonly KnownHost[]>;
  /** Makes a session that is not open yet; `spool` folder and all. */
  readonly make: (name: string, target: ConnectTarget, actor: Actor) => Promise<SshSession>;
  /** A session is there, or gone. */
  readonly onOpened: (session: SshSession) => void;
  readonly onClosed: (name: string) => void;
}

/** The sessions of the app. */
export class SessionRegistry implements Sessions {
  readonly #options: RegistryOptions;
  readonly #sessions = new Map<string, SshSession>();
  /** Names that are being connected or closed: taken, and counted. */
  readonly #reserved = new Set<string>();
  readonly #stop = new AbortController();
  readonly #connecting = new Set<Promise<unknown>>();
  /** Sessions of before a restart that are being connected again by themselves. */
  readonly #resuming = new Map<string, { readonly stop: AbortController; readonly over: Promise<void> }>();

  constructor(options: RegistryOptions) {
    this.#options = options;
  }

  /** The sessions as the core itself sees them. */
  all(): readonly SshSession[] {
    return [...this.#sessions.values()];
  }

  list(): readonly Session[] {
    return this.all();
  }

  get(name: string): Session {
    return this.#find(name);
  }

  hosts(): Promise<readonly KnownHost[]> {
    return this.#options.hosts();
  }

  async connect(request: ConnectRequest, actor: Actor, signal: AbortSignal): Promise<Session> {
    // Who asks for it now has the say about how.
    const resuming = this.#resuming.get(request.name);
    resuming?.stop.abort();
    await resuming?.over;
    // All in one go: of ten calls at once none gets past the limit.
    this.#reserve(request.name);
    const opening = this.#open(request, actor, AbortSignal.any([signal, this.#stop.signal]));
    this.#connecting.add(opening);
    try {
      return await opening;
    } finally {
      this.#connecting.delete(opening);
      this.#reserved.delete(request.name);
    }
  }

  async disconnect(name: string, actor: Actor, reason: string): Promise<readonly CommandView[]> {
    this.#resuming.get(name)?.stop.abort();
    return this.#end(name, (session) => session.close(actor, reason));
  }

  async #end<Value>(name: string, how: (session: SshSession) => Promise<Value>): Promise<Value> {
    const session = this.#find(name);
    this.#sessions.delete(name);
    this.#reserved.add(name);
    try {
      return await how(session);
    } finally {
      this.#reserved.delete(name);
      this.#options.onClosed(name);
    }
  }

  /** Shows a session of before the restart; where no secret is needed it is connected again by itself. */
  async restore(records: readonly DurableRecord[]): Promise<void> {
    const [first] = records;
    if (first === undefined) return;
    const target = targetOf(first);
    const session = await this.#options.make(first.sessionName, target, first.actor);
    session.waitForConnect(records, WAITING_REASON);
    this.#sessions.set(first.sessionName, session);
    this.#options.onOpened(session);
    if (!first.login.unattended) return;
    const stop = new AbortController();
    const over = this.#resume(session, target, AbortSignal.any([stop.signal, this.#stop.signal]));
    this.#resuming.set(first.sessionName, { stop, over });
    void over.finally(() => this.#resuming.delete(first.sessionName));
  }

  async #resume(waiting: SshSession, target: ConnectTarget, signal: AbortSignal): Promise<void> {
    const { name } = waiting;
    const outcome = await reconnect({
      clock: this.#options.clock,
      signal,
      onPlanned: (retryAt, error) => waiting.plan(retryAt, error instanceof Error ? error.message : WAITING_REASON),
      attempt: async () => {
        if (this.#sessions.get(name) !== waiting) throw appError('DENIED', { message: 'The session is gone' });
        this.#reserved.add(name);
        await this.#open({ name, host: target.host }, { kind: 'system' }, signal, target).finally(() =>
          this.#reserved.delete(name),
        );
      },
    });
    if (outcome.kind !== 'given-up') return;
    waiting.plan(null, outcome.error instanceof Error ? outcome.error.message : WAITING_REASON);
  }

  /** Closes everything, also what is connecting. */
  async close(reason: string): Promise<void> {
    this.#stop.abort(appError('SESSION_LOST', { message: 'Patchbay is closing', retry: 'no' }));
    await Promise.allSettled(this.#connecting);
    const system: Actor = { kind: 'system' };
    await Promise.allSettled(
      [...this.#sessions.keys()].map((name) => this.#end(name, (one) => one.leave(system, reason))),
    );
  }

  async #open(request: ConnectRequest, actor: Actor, signal: AbortSignal, known?: ConnectTarget): Promise<SshSession> {
    const target = known ?? (await this.#options.resolveTarget(request));
    const unfinished = this.#sessions.get(request.name)?.unfinished ?? [];
    checkTarget(request.name, target, unfinished);
    const session = await this.#options.make(request.name, target, actor);
    session.adopt(unfinished);
    try {
      await session.open(signal);
      signal.throwIfAborted();
    } catch (error) {
      await session.leave(actor, 'could not be opened');
      throw error;
    }
    // A session that was given up makes room for the new one only now: a failed attempt leaves it readable.
    const old = this.#sessions.get(request.name);
    this.#sessions.set(request.name, session);
    if (old !== undefined) {
      await old.leave(actor, 'replaced by a new connection');
      this.#options.onClosed(request.name);
    }
    if (actor.kind === 'client') session.lease.useAsClient(actor);
    this.#options.onOpened(session);
    return session;
  }

  #reserve(name: string): void {
    if (!sessionNameSchema.safeParse(name).success) throw badName(name);
    if (this.#stop.signal.aborted) throw this.#stop.signal.reason;
    const existing = this.#sessions.get(name);
    if (this.#reserved.has(name) || (existing !== undefined && !existing.isLost)) throw exists(name);
    const names = new Set([...this.#sessions.keys(), ...this.#reserved, name]);
    const { maxSessions } = this.#options;
    if (names.size > maxSessions) throw limit(maxSessions, [...this.#sessions.keys()]);
    this.#reserved.add(name);
  }

  #find(name: string): SshSession {
    const session = this.#sessions.get(name);
    if (session !== undefined) return session;
    const names = [...this.#sessions.keys()];
    const known = names.length === 0 ? 'there are no sessions' : `there are: ${names.join(', ')}`;
    throw appError('SESSION_NOT_FOUND', {
      message: `There is no session "${name}"; ${known}`,
      details: { session: name, sessions: names },
    });
  }
}

/** How the session of a record is reached, as far as no secret is needed. */
function targetOf({ host, port, username, login }: DurableRecord): ConnectTarget {
  const { keyFile, agent, identityFiles } = login;
  const key = keyFile === null ? {} : { keyFile };
  return { host, port, username, identityFiles, credentials: { username, ...key, ...(agent ? { agent } : {}) } };
}

/** A durable command is taken over only where it runs: same host, port and user. */
function checkTarget(name: string, target: ConnectTarget, records: readonly DurableRecord[]): void {
  const place = (at: { username: string; host: string; port: number }): string =>
    `${at.username}@${at.host} port ${at.port}`;
  const other = records.find((record) => place(record) !== place(target));
  if (other !== undefined) throw otherTarget(name, place(other), place(target));
}

function badName(name: string): Error {
  return appError('INVALID_PARAMS', {
    message: `name is not valid: ${JSON.stringify(name.slice(0, 100))}; it may hold only A-Z a-z 0-9 - _, at most ${SESSION_NAME_MAX} characters`,
    details: { field: 'name', value: name.slice(0, 100) },
  });
}

function exists(name: string): Error {
  return appError('SESSION_EXISTS', {
    message: `A session "${name}" exists already`,
    details: { session: name },
  });
}

function limit(maxSessions: number, names: readonly string[]): Error {
  return appError('SESSION_LIMIT', {
    message: `The limit of ${maxSessions} sessions is reached`,
    details: { maxSessions, sessions: names },
  });
}
