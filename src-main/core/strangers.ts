// Keeps connections that have not shown a token from shutting out those that have: the oldest stranger makes way.

/** What it needs of a connection. */
interface Connection {
  destroy(): void;
}

/** Connections at one door that are not known yet. */
export class Strangers {
  readonly #waiting = new Set<Connection>();

  /** At most this many wait at once. */
  constructor(private readonly limit: number) {}

  /** A new one; true when an older one had to make way. */
  arrive(connection: Connection): boolean {
    this.#waiting.add(connection);
    if (this.#waiting.size <= this.limit) return false;
    const [oldest] = this.#waiting;
    if (oldest === undefined) return false;
    this.#waiting.delete(oldest);
    oldest.destroy();
    return true;
  }

  /** It has shown its token, or it has gone. */
  settle(connection: Connection): void {
    this.#waiting.delete(connection);
  }
}
