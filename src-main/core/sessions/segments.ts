// A long byte stream made of pieces of text and of references into other streams, read on demand.
import { appError } from '../../../src-shared/errors.ts';
import type { ByteStream } from './port.ts';

/** Where the bytes of a piece are: in memory, or in a stream from an offset. */
type Source =
  | { readonly kind: 'text'; readonly bytes: Buffer }
  | { readonly kind: 'part'; readonly stream: ByteStream; readonly from: number };

interface Segment {
  readonly at: number;
  length: number;
  /** What it belongs to; undefined for what stands between two owners. */
  readonly owner: string | undefined;
  readonly source: Source;
}

/** The pieces in order. Offsets are absolute: dropping the oldest pieces moves `start`, nothing else. */
export class Segments {
  #segments: Segment[] = [];
  #start = 0;
  #length = 0;

  get start(): number {
    return this.#start;
  }

  get length(): number {
    return this.#length;
  }

  addText(text: string | Buffer, owner?: string): void {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    if (bytes.length === 0) return;
    this.#push({ kind: 'text', bytes }, bytes.length, owner);
  }

  /** Adds `length` bytes of `stream` from `from`; they have to be stored there already. */
  addPart(owner: string, stream: ByteStream, from: number, length: number): void {
    if (length === 0) return;
    const last = this.#segments[this.#segments.length - 1];
    const { source } = last ?? {};
    if (
      last !== undefined &&
      source?.kind === 'part' &&
      source.stream === stream &&
      source.from + last.length === from
    ) {
      last.length += length;
      this.#length += length;
      return;
    }
    this.#push({ kind: 'part', stream, from }, length, owner);
  }

  /**
   * Drops everything up to the last piece of `owner`. Owners that ran at the same time lie between each other's pieces:
   * what is older than the last of them goes too.
   */
  drop(owner: string): void {
    const last = this.#segments.findLastIndex((segment) => segment.owner === owner);
    if (last < 0) return;
    this.#segments = this.#segments.slice(last + 1);
    this.#start = this.#segments[0]?.at ?? this.#length;
  }

  async read(offset: number, limit: number): Promise<Buffer> {
    if (offset < this.#start) throw dropped(this.#start);
    const end = Math.min(this.#length, offset + limit);
    const pieces: Buffer[] = [];
    let at = offset;
    for (let index = this.#indexOf(offset); at < end; index += 1) {
      const segment = this.#segments[index];
      if (segment === undefined) break;
      const within = at - segment.at;
      const piece = await readSegment(segment, within, Math.min(end - at, segment.length - within));
      if (piece.length === 0) break;
      pieces.push(piece);
      at += piece.length;
      // A short read: go on in the same piece.
      if (within + piece.length < segment.length && at < end) index -= 1;
    }
    return pieces.length === 1 ? (pieces[0] ?? Buffer.alloc(0)) : Buffer.concat(pieces);
  }

  #push(source: Source, length: number, owner: string | undefined): void {
    this.#segments.push({ at: this.#length, length, owner, source });
    this.#length += length;
  }

  /** Index of the piece that holds the offset. */
  #indexOf(offset: number): number {
    let low = 0;
    let high = this.#segments.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#segments[middle]?.at ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

async function readSegment({ source }: Segment, within: number, length: number): Promise<Buffer> {
  if (source.kind === 'text') return source.bytes.subarray(within, within + length);
  return source.stream.read(source.from + within, length);
}

function dropped(start: number): Error {
  return appError('STORAGE_ERROR', {
    message: `The transcript before byte ${start} is no longer kept`,
    hint: 'Read on from the start that is named.',
    details: { reason: 'dropped', start },
  });
}
