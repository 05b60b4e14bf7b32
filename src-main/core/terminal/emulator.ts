// A terminal without a screen: draws output, answers the queries in it, and tells what is to be seen.
import headless from '@xterm/headless';
import { SerializeAddon } from '@xterm/addon-serialize';

/** Rows and columns of a terminal. */
export interface TerminalSize {
  readonly cols: number;
  readonly rows: number;
}

/** What an emulator is made with. */
export interface EmulatorOptions extends TerminalSize {
  /** Lines kept above the screen. */
  readonly scrollback: number;
  /** Called with answers to queries such as ESC[6n. Without it nothing is answered. */
  readonly onAnswer?: (text: string) => void;
}

/** Characters that may wait for drawing before {@link Emulator.full} says to stop; the library throws at 50 million. */
const MOST_PENDING = 1024 * 1024;
const FEW_PENDING = 256 * 1024;

/** One emulator. Input is text: the library loses characters that are cut between byte arrays. */
export class Emulator {
  readonly #terminal: headless.Terminal;
  readonly #serialize = new SerializeAddon();
  /** Asked for once at the start: the library complains when that happens first after the end. */
  readonly #buffers: headless.IBufferNamespace;
  readonly #firstLine: headless.IMarker | undefined;
  #pending = 0;
  #onRoom: (() => void) | null = null;

  constructor(options: EmulatorOptions) {
    const { cols, rows, scrollback, onAnswer } = options;
    this.#terminal = new headless.Terminal({ cols, rows, scrollback, allowProposedApi: true });
    this.#terminal.loadAddon(this.#serialize);
    this.#buffers = this.#terminal.buffer;
    this.#firstLine = this.#terminal.registerMarker(0);
    if (onAnswer !== undefined) this.#terminal.onData(onAnswer);
  }

  get cols(): number {
    return this.#terminal.cols;
  }

  get rows(): number {
    return this.#terminal.rows;
  }

  /** Too much waits to be drawn; pause the source until `onRoom` is called. */
  get full(): boolean {
    return this.#pending > MOST_PENDING;
  }

  /** Lines were lost at the top because there were more than the scrollback holds. */
  get overflowed(): boolean {
    return this.#firstLine?.isDisposed ?? false;
  }

  /** The program has switched the cursor keys to application mode. */
  get applicationCursor(): boolean {
    return this.#terminal.modes.applicationCursorKeysMode;
  }

  get alternateScreen(): boolean {
    return this.#buffers.active.type === 'alternate';
  }

  get cursor(): { readonly row: number; readonly column: number } {
    return { row: this.#buffers.active.cursorY, column: this.#buffers.active.cursorX };
  }

  write(text: string): void {
    if (text === '') return;
    this.#pending += text.length;
    this.#terminal.write(text, () => {
      this.#pending -= text.length;
      if (this.#pending >= FEW_PENDING || this.#onRoom === null) return;
      const tell = this.#onRoom;
      this.#onRoom = null;
      tell();
    });
  }

  /** Calls back once when there is room again. */
  onceRoom(listener: () => void): void {
    this.#onRoom = listener;
  }

  /** Resolves with what `look` sees when everything written so far is drawn, and nothing after it. */
  drawn<T>(look: () => T): Promise<T> {
    return new Promise((resolve) => {
      this.#terminal.write('', () => resolve(look()));
    });
  }

  resize(size: TerminalSize): void {
    this.#terminal.resize(size.cols, size.rows);
  }

  /** Control sequences that draw the present state on a fresh terminal of the same size. */
  drawing(scrollback: number): string {
    return this.#serialize.serialize({ scrollback });
  }

  /** The lines of the screen as text, without empty ones at the end. */
  screenText(): string {
    const { active } = this.#buffers;
    const rows = Array.from({ length: this.#terminal.rows }, (_, row) => active.getLine(active.baseY + row));
    return withoutEmptyEnd(rows.map((row) => row?.translateToString(true) ?? '')).join('\n');
  }

  /**
   * The last lines, those above the screen too; what was wrapped is one line again. Blanks at the end of a line are left out,
   * as pagers write them to wipe their question away, but not those before the cursor: they belong to a prompt.
   */
  lastLines(most: number): string {
    const { active } = this.#buffers;
    const cursorRow = active.baseY + active.cursorY;
    const lines: string[] = [];
    for (let y = Math.max(0, active.length - most); y < active.length; y += 1) {
      const line = active.getLine(y);
      const goesOn = active.getLine(y + 1)?.isWrapped === true;
      const shown = line?.translateToString(!goesOn) ?? '';
      const kept = y === cursorRow ? (line?.translateToString(false, 0, active.cursorX) ?? '') : '';
      const trimmed = goesOn ? shown : shown.trimEnd();
      const text = kept.length > trimmed.length ? kept : trimmed;
      if (line?.isWrapped === true && lines.length > 0) lines.push(`${lines.pop() ?? ''}${text}`);
      else lines.push(text);
    }
    return withoutEmptyEnd(lines).join('\n');
  }

  close(): void {
    this.#terminal.dispose();
  }
}

function withoutEmptyEnd(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line !== '');
  return lines.slice(0, last + 1);
}
