// Cuts a byte stream into lines of limited length without copying or scanning anything twice.

const LINE_FEED = 0x0a;

/** What a reader tells. */
export interface LineEvents {
  /** A whole line, without its end. */
  readonly onLine: (line: Buffer) => void;
  /** A line was longer than allowed and was thrown away up to its end; once per line, with the bytes it had. */
  readonly onTooLong: (bytes: number) => void;
}

/** Feeds on chunks. After a line that is too long it goes on with the next one. */
export class LineReader {
  #pieces: Buffer[] = [];
  #length = 0;
  #paused = false;
  #rest: Buffer | undefined;

  constructor(
    private readonly maxBytes: number,
    private readonly events: LineEvents,
  ) {}

  push(chunk: Buffer): void {
    if (this.#paused) {
      this.#rest = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk]);
      return;
    }
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0 && !this.#paused; end = chunk.indexOf(LINE_FEED, start)) {
      this.#take(chunk.subarray(start, end));
      start = end + 1;
      this.#finish();
    }
    if (this.#paused) this.#rest = chunk.subarray(start);
    else this.#take(chunk.subarray(start));
  }

  /** Hands out no more lines; what comes is kept. */
  pause(): void {
    this.#paused = true;
  }

  /** What was not handed out yet; the reader is of no more use then. */
  takeRest(): Buffer {
    const rest = Buffer.concat([...this.#pieces, this.#rest ?? Buffer.alloc(0)]);
    this.#pieces = [];
    this.#rest = undefined;
    return rest;
  }

  /** Bytes of the line that is not complete yet. */
  get pending(): number {
    return this.#length;
  }

  #take(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#length += piece.length;
    if (this.#length > this.maxBytes) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  #finish(): void {
    const length = this.#length;
    const [first = Buffer.alloc(0)] = this.#pieces;
    const line = this.#pieces.length > 1 ? Buffer.concat(this.#pieces) : first;
    this.#pieces = [];
    this.#length = 0;
    if (length > this.maxBytes) this.events.onTooLong(length);
    else this.events.onLine(line.at(-1) === 0x0d ? line.subarray(0, -1) : line);
  }
}
