// Runs work for the same key one after another, and for different keys side by side.

/** Queues by key. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `work` when all earlier work of this key has ended, however it ended. */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#last.set(key, mine);
    const forget = (): void => {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    };
    mine.then(forget, forget);
    return mine;
  }
}
