// Cuts a byte stream at announced marks, each byte looked at once, marks cut anywhere by the network included.

/** First byte of every mark; it occurs nowhere else in a mark's own text but as its last byte. */
const MARK_FIRST = 0x1e;

interface Expectation {
  readonly mark: Buffer;
  readonly sink: (bytes: Buffer) => void;
  readonly onMark: () => void;
}

/**
 * Bytes up to the mark that is expected first go to that mark's sink, then the next expectation counts;
 * without one, bytes go to `rest`. Marks hold a nonce, so that nothing else can look like them.
 */
export class Splitter {
  readonly #queue: Expectation[] = [];
  readonly #rest: (bytes: Buffer) => void;
  #held: Buffer | null = null;

  constructor(rest: (bytes: Buffer) => void) {
    this.#rest = rest;
  }

  /** Announces a mark (starting with 0x1e); sink gets what comes before it, without the mark. */
  expect(mark: Buffer, sink: (bytes: Buffer) => void, onMark: () => void): void {
    this.#queue.push({ mark, sink, onMark });
  }

  push(bytes: Buffer): void {
    let left: Buffer = this.#held === null ? bytes : Buffer.concat([this.#held, bytes]);
    this.#held = null;
    while (left.length > 0) {
      const next = this.#queue[0];
      if (next === undefined) return this.#rest(left);
      const at = left.indexOf(next.mark);
      if (at === -1) return this.#passOn(left, next);
      this.#queue.shift();
      if (at > 0) next.sink(left.subarray(0, at));
      left = left.subarray(at + next.mark.length);
      next.onMark();
    }
  }

  /** No more bytes will come: what was held back as the possible start of a mark is output after all. */
  end(): void {
    const held = this.#held;
    this.#held = null;
    if (held === null) return;
    const next = this.#queue[0];
    if (next === undefined) this.#rest(held);
    else next.sink(held);
  }

  #passOn(bytes: Buffer, next: Expectation): void {
    const from = Math.max(0, bytes.length - next.mark.length + 1);
    const at = bytes.lastIndexOf(MARK_FIRST);
    const isStart = at >= from && next.mark.subarray(0, bytes.length - at).equals(bytes.subarray(at));
    const out = isStart ? bytes.subarray(0, at) : bytes;
    if (isStart) this.#held = bytes.subarray(at);
    if (out.length > 0) next.sink(out);
  }
}
