// Cuts a byte stream at announced marks, each byte looked at once, marks cut anywhere by the network included.

/** First byte of every mark; it occurs nowhere else in a mark's own text but as its last byte. */
const MARK_FIRST = 0x1e;

interface Expectation {
  readonly mark: Buffer;
  readonly sink: (bytes: Buffer) => void;
  readonly onMark: () => void;
}

/** A mark that may come at any time; everything after it goes to `rest`. */
export interface FinalMark {
  readonly mark: Buffer;
  readonly onMark: (after: Buffer) => void;
}

/**
 * Bytes up to the mark that is expected first go to that mark's sink, then the next expectation counts;
 * without one, bytes go to `rest`. Marks hold a nonce, so that nothing else can look like them.
 */
export class Splitter {
  readonly #queue: Expectation[] = [];
  readonly #rest: (bytes: Buffer) => void;
  #final: FinalMark | null;
  #held: Buffer | null = null;

  constructor(rest: (bytes: Buffer) => void, final: FinalMark | null = null) {
    this.#rest = rest;
    this.#final = final;
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
      const at = next === undefined ? -1 : left.indexOf(next.mark);
      const final = this.#final;
      const finalAt = final === null ? -1 : left.indexOf(final.mark);
      if (final !== null && finalAt !== -1 && (at === -1 || finalAt < at)) {
        this.#finish(left, finalAt, final);
        return;
      }
      if (next === undefined || at === -1) {
        this.#passOn(left, next);
        return;
      }
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

  #finish(bytes: Buffer, at: number, final: FinalMark): void {
    const next = this.#queue[0];
    if (at > 0) (next?.sink ?? this.#rest)(bytes.subarray(0, at));
    this.#queue.length = 0;
    this.#final = null;
    final.onMark(bytes.subarray(at + final.mark.length));
  }

  #passOn(bytes: Buffer, next: Expectation | undefined): void {
    const at = bytes.lastIndexOf(MARK_FIRST);
    const tail = at === -1 ? null : bytes.subarray(at);
    const isStart = tail !== null && [next?.mark, this.#final?.mark].some((mark) => startsWith(mark, tail));
    const out = isStart ? bytes.subarray(0, at) : bytes;
    if (isStart) this.#held = tail;
    if (out.length > 0) (next?.sink ?? this.#rest)(out);
  }
}

/** The mark could go on where the tail ends. */
function startsWith(mark: Buffer | undefined, tail: Buffer): boolean {
  return mark !== undefined && tail.length < mark.length && mark.subarray(0, tail.length).equals(tail);
}
