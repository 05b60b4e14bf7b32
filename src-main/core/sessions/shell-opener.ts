// Opens the PTY of a session, also on hosts that give a connection few channels.
import { AppError } from '../../../src-shared/errors.ts';
import type { ShellChannel } from '../ssh/port.ts';
import { Link } from './link.ts';
import type { LinkOptions } from './link.ts';

/** Size and kind of a PTY. */
export interface PtyRequest {
  readonly cols: number;
  readonly rows: number;
  readonly term: string;
}

/** Opens shells on a session's connection or, where it has no channel left, on one that serves the terminal alone. */
export class ShellOpener {
  readonly #link: Link;
  readonly #extra: Link;
  readonly #signal: AbortSignal;
  /** An exec request was refused on this connection; on some devices its channel stays taken. */
  #execRefused = false;

  constructor(link: Link, options: Omit<LinkOptions, 'onLost'>, signal: AbortSignal) {
    this.#link = link;
    this.#extra = new Link({ ...options, onLost: () => undefined });
    this.#signal = signal;
  }

  /** To be told when the shell of the agent lane was refused. */
  execWasRefused(): void {
    this.#execRefused = true;
  }

  /** Rejects with SESSION_LOST or UNSUPPORTED. */
  async open(request: PtyRequest): Promise<ShellChannel> {
    try {
      return await this.#link.connection.shell(request);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'UNSUPPORTED') throw error;
      if (this.#execRefused) {
        // Nothing else runs there, so a new connection in its place frees the channel.
        this.#execRefused = false;
        return (await this.#link.open(this.#signal)).shell(request);
      }
      if (error.details['reason'] !== 'channel_limit') throw error;
      return (await this.#extra.open(this.#signal)).shell(request);
    }
  }

  /** To be told when the PTY has closed: a connection that was made for it alone ends with it. */
  closed(): void {
    this.#extra.close();
  }
}
