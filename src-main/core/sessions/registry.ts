// All sessions by name: opens, finds and closes them, within the limit.
import { appError } from '../../../src-shared/errors.ts';
import { SESSION_NAME_MAX, sessionNameSchema } from '../../../src-shared/model/index.ts';
import type { Actor, CommandView } from '../../../src-shared/model/index.ts';
import type { ConnectTarget } from '../ssh/port.ts';
import type { ConnectRequest, KnownHost, Session, Sessions } from './port.ts';
import type { SshSession } from './session.ts';

/** What the registry needs to open sessions. */
export interface RegistryOptions {
  readonly maxSessions: number;
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
    // All before the first await: of ten calls at once none gets past the limit.
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
    const session = this.#find(name);
    this.#sessions.delete(name);
    this.#reserved.add(name);
    try {
      return await session.close(actor, reason);
    } finally {
      this.#reserved.delete(name);
      this.#options.onClosed(name);
    }
  }

  /** Closes everything, also what is connecting. */
  async close(reason: string): Promise<void> {
    this.#stop.abort(appError('SESSION_LOST', { message: 'Patchbay is closing', retry: 'no' }));
    await Promise.allSettled(this.#connecting);
    const system: Actor = { kind: 'system' };
    await Promise.allSettled([...this.#sessions.keys()].map((name) => this.disconnect(name, system, reason)));
  }

  async #open(request: ConnectRequest, actor: Actor, signal: AbortSignal): Promise<SshSession> {
    const target = await this.#options.resolveTarget(request);
    const session = await this.#options.make(request.name, target, actor);
    try {
      await session.open(signal);
      signal.throwIfAborted();
    } catch (error) {
      await session.close(actor, 'could not be opened');
      throw error;
    }
    // A session that was given up makes room for the new one only now: a failed attempt leaves it readable.
    if (this.#sessions.has(request.name)) await this.disconnect(request.name, actor, 'replaced by a new connection');
    this.#sessions.set(request.name, session);
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
