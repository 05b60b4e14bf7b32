// Finds out that a silent link is dead, and measures the round trip on a living one.

/** What the keep-alive needs of a connection. */
export interface PingPort {
  /** Sends a request that the server answers; the callback gets false when the connection ended. */
  ping(answered: (alive: boolean) => void): void;
  /** Grows with everything that arrives. */
  readonly bytesIn: number;
}

const MISSES = 3;
// After a miss it asks a little faster, so that three misses fit into four intervals counted from the last sign of life.
const HURRY = 0.9;

/** Pings once per interval. Three pings in a row without an answer, and without a byte from the server, are a dead link. */
export class KeepAlive {
  readonly #port: PingPort;
  readonly #intervalMs: number;
  readonly #onDead: () => void;
  #timer: NodeJS.Timeout | undefined;
  #dueAt = 0;
  #misses = 0;
  #waiting = false;
  #bytesSeen = 0;
  #rttMs: number | null = null;
  #closed = false;

  constructor(port: PingPort, intervalMs: number, onDead: () => void) {
    this.#port = port;
    this.#intervalMs = intervalMs;
    this.#onDead = onDead;
    this.#plan();
  }

  /** Round trip of the last answered ping in milliseconds. */
  get rttMs(): number | null {
    return this.#rttMs;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #plan(): void {
    const waitMs = this.#misses === 0 ? this.#intervalMs : this.#intervalMs * HURRY;
    this.#dueAt = performance.now() + waitMs;
    this.#timer = setTimeout(() => this.#tick(), waitMs);
    this.#timer.unref();
  }

  #tick(): void {
    if (this.#closed) return;
    const heard = this.#port.bytesIn !== this.#bytesSeen;
    this.#bytesSeen = this.#port.bytesIn;
    // A tick that comes far too late means that this computer slept or stood still: the server had no chance to answer.
    const slept = performance.now() - this.#dueAt > this.#intervalMs / 2;
    if (!this.#waiting || heard || slept) this.#misses = 0;
    else this.#misses += 1;
    if (this.#misses >= MISSES) {
      this.close();
      this.#onDead();
      return;
    }
    this.#ping();
    this.#plan();
  }

  #ping(): void {
    const sentAt = performance.now();
    this.#waiting = true;
    this.#port.ping((alive) => {
      if (this.#closed || !alive) return;
      this.#waiting = false;
      this.#misses = 0;
      this.#rttMs = performance.now() - sentAt;
    });
  }
}
