// Cuts a byte stream into lines without ever holding more than one line's limit of them.
import { MAX_LINE_BYTES } from '../../src-shared/mcp-identity.ts';

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** How much of a line that is too long is kept to find out whose it was. */
const SAMPLE_BYTES = 1024;

/** Gets what was cut. */
export interface LineTarget {
  /** A line without its line feed; never empty. */
  line(bytes: Buffer): void;
  /** A line beyond the limit: its length, how it began and how it ended. */
  tooLong(bytes: number, head: Buffer, tail: Buffer): void;
}

/** Takes the pieces of one stream in order. */
export class LineCutter {
  readonly #target: LineTarget;
  readonly #limit: number;
  #pieces: Buffer[] = [];
  #length = 0;
  #head = Buffer.alloc(0);

  constructor(target: LineTarget, limit = MAX_LINE_BYTES) {
    this.#target = target;
    this.#limit = limit;
  }

  push(bytes: Buffer): void {
    let from = 0;
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, from)) {
      this.#keep(bytes.subarray(from, at));
      this.#finish();
      from = at + 1;
    }
    this.#keep(bytes.subarray(from));
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#length += piece.length;
    this.#pieces.push(piece);
    if (this.#length <= this.#limit) return;
    const joined = Buffer.concat(this.#pieces);
    if (this.#head.length === 0) this.#head = Buffer.from(joined.subarray(0, SAMPLE_BYTES));
    this.#pieces = [Buffer.from(joined.subarray(-SAMPLE_BYTES))];
  }

  #finish(): void {
    const length = this.#length;
    const line = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
    const head = this.#head;
    this.#pieces = [];
    this.#length = 0;
    this.#head = Buffer.alloc(0);
    if (line === undefined || length === 0) return;
    if (length > this.#limit) return this.#target.tooLong(length, head, line);
    const clean = line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
    if (clean.length > 0) this.#target.line(clean);
  }
}
