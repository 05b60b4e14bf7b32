// A live connection: opens channels, watches the link, and ends for sure.
import type net from 'node:net';
import type { Client, ClientChannel } from 'ssh2';
import { AppError, appError } from '../../../src-shared/errors.ts';
import type { Line } from './channel.ts';
import { ExecLine, ShellLine } from './channel.ts';
import { channelRefused } from './channel-refused.ts';
import type { PingPort } from './keep-alive.ts';
import { KeepAlive } from './keep-alive.ts';
import { errorCode, faultText } from './network-failure.ts';
import type { ConnectOptions, ExecChannel, ShellChannel, SshConnection } from './port.ts';
import { channelCloser, sendPing } from './ssh2-inside.ts';
import type { Where } from './where.ts';
import { hostAndPort, whereDetails } from './where.ts';

// How long a goodbye may take before the socket is destroyed without it.
const GOODBYE_MS = 300;
const LIMIT_TRIES = 3;
const JUST_GONE_MS = 1000;

/** What the connect hands over; errors and the end of `client` are the connection's from then on. */
export interface ConnectionParts {
  readonly client: Client;
  readonly socket: net.Socket;
  readonly where: Where;
  readonly serverVersion: string;
  readonly fingerprint: string;
  readonly hostKeyType: string;
  readonly banner: string;
}

type ChannelCallback = (error: Error | undefined, channel: ClientChannel) => void;
type Ask = (done: ChannelCallback) => void;
type MakeLine<L extends Line> = (channel: ClientChannel) => L;
type Kind = 'exec' | 'shell';

/** See {@link SshConnection}. */
export class Connection implements SshConnection {
  readonly serverVersion: string;
  readonly fingerprint: string;
  readonly hostKeyType: string;
  readonly banner: string;
  readonly username: string;
  readonly #client: Client;
  readonly #socket: net.Socket;
  readonly #where: Where;
  readonly #log: ConnectOptions['log'];
  readonly #keepAlive: KeepAlive;
  readonly #channels = new Set<Line>();
  readonly #asking = new Set<(error: AppError) => void>();
  #fault: unknown;
  #ended = false;
  #lastGoneAt = -Infinity;
  #lostReason: string | null = null;
  #onLost: (reason: string) => void = () => undefined;

  constructor(parts: ConnectionParts, options: Pick<ConnectOptions, 'keepAliveMs' | 'log'>) {
    const { client, socket } = parts;
    this.serverVersion = parts.serverVersion;
    this.fingerprint = parts.fingerprint;
    this.hostKeyType = parts.hostKeyType;
    this.banner = parts.banner;
    this.username = parts.where.username;
    this.#client = client;
    this.#socket = socket;
    this.#where = parts.where;
    this.#log = options.log;
    this.#keepAlive = new KeepAlive(pingPort(client, socket), options.keepAliveMs, () => this.#lose(DEAD_LINK));
    client.on('error', (error) => {
      this.#fault ??= error;
      // ssh2 cannot send any more after a fault, and throws when it is asked to, even before the socket has closed.
      this.#lose(this.#endReason());
    });
    client.on('end', () => this.#lose(this.#endReason()));
    client.on('close', () => this.#lose(this.#endReason()));
  }

  get bytesIn(): number {
    return this.#socket.bytesRead;
  }

  get bytesOut(): number {
    return this.#socket.bytesWritten;
  }

  get rttMs(): number | null {
    return this.#keepAlive.rttMs;
  }

  get onLost(): (reason: string) => void {
    return this.#onLost;
  }

  /** Also told when the connection was lost before anybody listened. */
  set onLost(listener: (reason: string) => void) {
    this.#onLost = listener;
    const reason = this.#lostReason;
    if (reason !== null) queueMicrotask(() => listener(reason));
  }

  async exec(command: string): Promise<ExecChannel> {
    if (command.includes('\0')) {
      // OpenSSH drops the whole connection for it.
      throw appError('INVALID_PARAMS', {
        message: 'A command cannot hold a NUL byte',
        details: { reason: 'nul_byte' },
      });
    }
    const make = (channel: ClientChannel) => new ExecLine(channel, this.#socket, this.#forget);
    return this.#openOrRetry('exec', make, (done) => this.#client.exec(command, done));
  }

  shell(size: { readonly cols: number; readonly rows: number; readonly term: string }): Promise<ShellChannel> {
    const pty = { ...size, width: 0, height: 0 };
    const make = (channel: ClientChannel) => new ShellLine(channel, this.#socket, this.#forget);
    return this.#openOrRetry('shell', make, (done) => this.#client.shell(pty, done));
  }

  close(): void {
    if (this.#ended) return;
    this.#end();
    for (const line of [...this.#channels]) line.abandon();
    // On a stalled link end() alone leaves the socket open, and ssh2's destroy() after it does nothing.
    this.#client.end();
    this.#socket.destroySoon();
    setTimeout(() => this.#socket.destroy(), GOODBYE_MS).unref();
  }

  readonly #forget = (line: Line): void => {
    this.#channels.delete(line);
    this.#lastGoneAt = performance.now();
  };

  /**
   * OpenSSH frees a closed channel only after it has read all that waits, a request for the next one included: on a
   * host that gives few channels the first answer can be wrong.
   */
  async #openOrRetry<L extends Line>(kind: Kind, make: MakeLine<L>, ask: Ask): Promise<L> {
    for (let left = LIMIT_TRIES; ; left -= 1) {
      try {
        return await this.#open(kind, make, ask);
      } catch (error) {
        const limit = error instanceof AppError && error.details['reason'] === 'channel_limit';
        if (!limit || left <= 1 || performance.now() - this.#lastGoneAt > JUST_GONE_MS) throw error;
      }
    }
  }

  #open<L extends Line>(kind: Kind, make: MakeLine<L>, ask: Ask): Promise<L> {
    return new Promise((resolve, reject) => {
      if (this.#ended) {
        reject(this.#gone());
        return;
      }
      this.#asking.add(reject);
      let close: () => void = () => undefined;
      const done: ChannelCallback = (error, channel) => {
        this.#asking.delete(reject);
        if (error === undefined) {
          // Here and not later: a quick command's exit status and end can be in the same packet as this answer.
          const line = make(channel);
          this.#channels.add(line);
          resolve(line);
          return;
        }
        // ssh2 leaves a channel open whose request was refused, and a device may have only the one.
        close();
        reject(this.#ended ? this.#gone() : channelRefused(this.#where, kind, error));
      };
      try {
        ask(done);
        close = channelCloser(this.#client);
      } catch (error) {
        this.#log('a channel could not be asked for', { fault: faultText(error) });
        this.#asking.delete(reject);
        reject(this.#gone());
      }
    });
  }

  #lose(reason: string): void {
    if (this.#ended) return;
    this.#end();
    this.#lostReason = reason;
    this.#log('connection lost', { ...whereDetails(this.#where), reason });
    this.#socket.destroy();
    this.#onLost(reason);
  }

  #end(): void {
    this.#ended = true;
    this.#keepAlive.close();
    for (const reject of this.#asking) reject(this.#gone());
    this.#asking.clear();
  }

  #gone(): AppError {
    return appError('SESSION_LOST', {
      message: `The connection to ${hostAndPort(this.#where)} has ended`,
      details: { reason: 'connection_ended', ...whereDetails(this.#where) },
    });
  }

  #endReason(): string {
    const code = errorCode(this.#fault);
    if (code === 'ECONNRESET' || code === 'EPIPE') return 'The connection was reset.';
    if (code === 'ETIMEDOUT') return 'The link timed out.';
    if (code !== '' || this.#fault === undefined) return 'The server closed the connection.';
    return `The connection ended: ${faultText(this.#fault)}.`;
  }
}

const DEAD_LINK = 'The server did not answer three keep-alive messages in a row: the link is dead.';

function pingPort(client: Client, socket: net.Socket): PingPort {
  return {
    ping: (answered) => sendPing(client, answered),
    get bytesIn() {
      return socket.bytesRead;
    },
  };
}
