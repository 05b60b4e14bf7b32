// Sets the blocks of a transcript apart: one empty row before each start mark.
import { MARK_OSC } from '../../src-shared/protocol/index.ts';

/** Puts a line feed before each start mark, also where a mark was cut between two pieces of the stream. */
export class BlockSpacing {
  #start = '';
  #held = '';

  /** `mark` is the secret word; the start of anything that output can print is left alone. */
  use(mark: string): void {
    this.#start = `\u001b]${MARK_OSC};${mark};start;`;
  }

  /** Forgets what was held back. */
  reset(): void {
    this.#held = '';
  }

  /** The text to draw now; what may be the beginning of a mark waits for the rest. */
  pass(text: string): string {
    const all = this.#held + text;
    const keep = this.#beginning(all);
    this.#held = all.slice(all.length - keep);
    return all.slice(0, all.length - keep).replaceAll(this.#start, `\n${this.#start}`);
  }

  /** How many characters at the end of `text` may be the beginning of a mark. */
  #beginning(text: string): number {
    const at = text.lastIndexOf('\u001b');
    if (at < 0) return 0;
    const tail = text.slice(at);
    return tail.length < this.#start.length && this.#start.startsWith(tail) ? tail.length : 0;
  }
}
