// The connection of a session over its life: made, lost, made again with what is held in memory.
import type { Actor } from '../../../src-shared/model/index.ts';
import { appError } from '../../../src-shared/errors.ts';
import type { Connect, ConnectOptions, ConnectTarget, SshConnection } from '../ssh/port.ts';

/** What every connection of a session is made with. */
export interface LinkOptions {
  readonly connect: Connect;
  readonly target: ConnectTarget;
  readonly actor: Actor;
  readonly common: Omit<ConnectOptions, 'signal' | 'actor'>;
  /** The connection that was in use has ended by itself. */
  readonly onLost: (reason: string) => void;
}

/** Facts of the last connection, kept while there is none. */
export interface LinkFacts {
  readonly serverVersion: string;
  readonly fingerprint: string;
  readonly hostKeyType: string;
  readonly banner: string;
  readonly username: string;
}

/** One session's way to its host. */
export class Link {
  readonly #options: LinkOptions;
  #connection: SshConnection | null = null;
  #facts: LinkFacts | null = null;
  #bytesIn = 0;
  #bytesOut = 0;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  get target(): ConnectTarget {
    return this.#options.target;
  }

  /** Null before the first connection. */
  get facts(): LinkFacts | null {
    return this.#facts;
  }

  get rttMs(): number | null {
    return this.#connection?.rttMs ?? null;
  }

  /** Bytes on the wire over all connections. */
  get bytesIn(): number {
    return this.#bytesIn + (this.#connection?.bytesIn ?? 0);
  }

  get bytesOut(): number {
    return this.#bytesOut + (this.#connection?.bytesOut ?? 0);
  }

  get connected(): boolean {
    return this.#connection !== null;
  }

  /** The live connection. Throws SESSION_LOST. */
  get connection(): SshConnection {
    if (this.#connection === null) throw appError('SESSION_LOST', { details: { reason: 'not_connected' } });
    return this.#connection;
  }

  /** Connects and logs in, in place of what there was. Rejects with the codes of {@link Connect}. */
  async open(signal: AbortSignal): Promise<SshConnection> {
    const { connect, target, actor, common } = this.#options;
    const connection = await connect(target, { ...common, actor, signal });
    if (signal.aborted) {
      connection.close();
      throw appError('SESSION_LOST', { message: 'The connection was given up', details: { reason: 'given_up' } });
    }
    this.#drop()?.close();
    this.#connection = connection;
    const { fingerprint, hostKeyType, banner, username } = connection;
    const serverVersion = softwareOf(connection.serverVersion);
    this.#facts = { serverVersion, fingerprint, hostKeyType, banner, username };
    connection.onLost = (reason) => {
      if (this.#connection !== connection) return;
      this.#drop();
      this.#options.onLost(reason);
    };
    return connection;
  }

  close(): void {
    this.#drop()?.close();
  }

  /** Ends the connection as one that was lost. */
  giveUp(reason: string): void {
    const connection = this.#drop();
    if (connection === null) return;
    connection.close();
    this.#options.onLost(reason);
  }

  /** Forgets the connection but not what it carried. */
  #drop(): SshConnection | null {
    const connection = this.#connection;
    if (connection === null) return null;
    this.#bytesIn += connection.bytesIn;
    this.#bytesOut += connection.bytesOut;
    this.#connection = null;
    return connection;
  }
}

/** The software in a server's first line: `OpenSSH_9.2p1` of `SSH-2.0-OpenSSH_9.2p1 Debian-2`. */
function softwareOf(line: string): string {
  return line.replace(/^SSH-[\d.]+-/, '').split(' ')[0] ?? '';
}
