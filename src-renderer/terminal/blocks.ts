// Where each command stands in the lines of the Commands terminal, from the marks in its transcript.
import type { TranscriptMark } from '../../src-shared/protocol/index.ts';

/** A line that moves with the buffer; -1 once it was trimmed away. */
export interface LineMarker {
  readonly line: number;
  readonly isDisposed: boolean;
}

/** The lines of one command, as far as its marks have come. */
export interface Block {
  readonly commandId: string;
  /** First line of the header. */
  readonly start: LineMarker;
  /** First line of the output. */
  output: LineMarker | null;
  /** First line that is not the command's any more. */
  end: LineMarker | null;
}

/** A block in numbers of lines: `first` to `last` inclusive. */
export interface BlockLines {
  readonly commandId: string;
  readonly first: number;
  /** Number of header lines; 0 when the header was trimmed away. */
  readonly headerLines: number;
  readonly last: number;
  readonly open: boolean;
}

/** Follows the marks of one transcript. */
export class Blocks {
  #blocks: Block[] = [];
  #count = 0;

  /** Blocks begun since the last reset. */
  get count(): number {
    return this.#count;
  }

  /** Takes a mark; `here` makes a marker for the present line. */
  mark(mark: TranscriptMark, here: () => LineMarker): void {
    const last = this.#blocks.at(-1);
    if (mark.kind === 'start') {
      // Its end was left out with a part of the stream that was skipped.
      if (last !== undefined && last.end === null) last.end = here();
      this.#blocks.push({ commandId: mark.commandId, start: here(), output: null, end: null });
      this.#count += 1;
      return;
    }
    if (last === undefined || last.commandId !== mark.commandId || last.end !== null) return;
    if (mark.kind === 'output') last.output ??= here();
    else last.end = here();
  }

  reset(): void {
    this.#blocks = [];
    this.#count = 0;
  }

  /** Blocks that show between two lines; `bottom` is the last line that has text. Forgets those that were trimmed away. */
  between(from: number, to: number, bottom: number): readonly BlockLines[] {
    this.#blocks = this.#blocks.filter((block) => block.end === null || !block.end.isDisposed);
    return this.#blocks.map((block) => lines(block, bottom)).filter(({ first, last }) => last >= from && first <= to);
  }

  /** First line of a command, or undefined when it is not there (any more). */
  lineOf(commandId: string): number | undefined {
    const block = this.#blocks.find((one) => one.commandId === commandId);
    return block === undefined || block.start.isDisposed ? undefined : block.start.line;
  }

  /** First lines of all blocks, in order, for going from one to the next. */
  firstLines(): readonly number[] {
    return this.#blocks.filter(({ start }) => !start.isDisposed).map(({ start }) => start.line);
  }
}

function lines({ commandId, start, output, end }: Block, bottom: number): BlockLines {
  const first = start.isDisposed ? 0 : start.line;
  const headerEnd = output === null || output.isDisposed ? first + 1 : output.line;
  return {
    commandId,
    first,
    headerLines: start.isDisposed ? 0 : Math.max(1, headerEnd - first),
    last: Math.max(first, end === null ? bottom : end.line - 1),
    open: end === null,
  };
}
