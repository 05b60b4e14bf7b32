// Knows, for a stream of terminal output, up to which offset every character and control sequence is complete.
import { Utf8Tail } from '../utf8-tail.ts';

const ESC = 0x1b;
const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;
/** A sequence longer than this is given up as unfinished: it is a stray introducer in binary output. */
const LONGEST_SEQUENCE = 64 * 1024;

type State = 'ground' | 'escape' | 'csi' | 'string' | 'string-escape';

/** Introducers of strings behind ESC: DCS, SOS, OSC, PM, APC. */
const STRINGS = new Set([0x50, 0x58, 0x5d, 0x5e, 0x5f]);

/** Follows the bytes; a drawing made at `safeOffset` can be continued with the bytes from there on. */
export class SequenceTracker {
  readonly #tail = new Utf8Tail();
  #state: State = 'ground';
  #length = 0;
  #sequenceStart = 0;
  #unfinishedChar = 0;

  /** Start of the unfinished sequence or character at the end, or the end. */
  get safeOffset(): number {
    if (this.#state === 'ground') return this.#length - this.#unfinishedChar;
    return this.#length - this.#sequenceStart > LONGEST_SEQUENCE ? this.#length : this.#sequenceStart;
  }

  push(bytes: Uint8Array): void {
    this.#unfinishedChar = this.#tail.push(bytes);
    let at = 0;
    while (at < bytes.length) {
      if (this.#state === 'ground') {
        const next = bytes.indexOf(ESC, at);
        if (next < 0) break;
        this.#sequenceStart = this.#length + next;
        this.#state = 'escape';
        at = next + 1;
      } else {
        this.#step(bytes[at] ?? 0, this.#length + at);
        at += 1;
      }
    }
    this.#length += bytes.length;
  }

  #step(byte: number, offset: number): void {
    if (byte === CAN || byte === SUB) {
      this.#state = 'ground';
    } else if (byte === ESC && this.#state !== 'string') {
      this.#state = 'escape';
      this.#sequenceStart = offset;
    } else {
      this.#state = next(this.#state, byte);
    }
  }
}

function next(state: State, byte: number): State {
  switch (state) {
    case 'escape':
      if (byte === 0x5b) return 'csi';
      if (STRINGS.has(byte)) return 'string';
      return byte >= 0x20 && byte < 0x30 ? 'escape' : 'ground';
    case 'csi':
      return byte >= 0x40 && byte < 0x7f ? 'ground' : 'csi';
    case 'string':
      if (byte === BEL) return 'ground';
      return byte === ESC ? 'string-escape' : 'string';
    case 'string-escape':
      // ESC \ ends a string; any other ESC ends it too and begins a sequence of its own.
      return byte === 0x5c ? 'ground' : next('escape', byte);
    case 'ground':
      return 'ground';
  }
}
