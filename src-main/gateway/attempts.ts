// Slows down whoever tries tokens: a few wrong ones per address and minute, then none for a while.

const WRONG_LIMIT = 10;
const WINDOW_MS = 60_000;
/** Addresses kept at most; the oldest is forgotten first. */
const ADDRESS_LIMIT = 1000;

/** Counts wrong tokens per address. */
export class Attempts {
  readonly #wrong = new Map<string, number[]>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Seconds until this address may try again; 0 when it may now. */
  waitSeconds(address: string): number {
    const recent = this.#recent(address);
    const oldest = recent[0];
    if (recent.length < WRONG_LIMIT || oldest === undefined) return 0;
    return Math.max(1, Math.ceil((oldest + WINDOW_MS - this.#now()) / 1000));
  }

  /** Notes a wrong token. */
  wrong(address: string): void {
    const recent = [...this.#recent(address), this.#now()].slice(-WRONG_LIMIT);
    this.#wrong.delete(address);
    this.#wrong.set(address, recent);
    if (this.#wrong.size <= ADDRESS_LIMIT) return;
    const [oldest] = this.#wrong.keys();
    if (oldest !== undefined) this.#wrong.delete(oldest);
  }

  #recent(address: string): number[] {
    const since = this.#now() - WINDOW_MS;
    return (this.#wrong.get(address) ?? []).filter((at) => at > since);
  }
}
