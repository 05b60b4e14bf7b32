// The Commands terminal: draws a transcript, knows where each command's block lies, finds text in it. Nobody types here.
import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { Terminal } from '@xterm/xterm';
import { createStore } from 'zustand/vanilla';
import { MARK_OSC, decodeMark } from '../../src-shared/protocol/index.ts';
import type { StreamSink, StreamStart } from '../connection/streams.ts';
import { byteCount } from '../format/bytes.ts';
import type { Preferences } from '../state/preferences-store.ts';
import { Blocks } from './blocks.ts';
import { findColours, terminalTheme } from './colours.ts';
import { keepToLines } from './keep-to-lines.ts';
import { BlockSpacing } from './spacing.ts';
import { TextWriter, commonOptions, terminalText } from './options.ts';

/** Lines that the pane keeps; older ones stay in the spool. */
const SCROLLBACK_LINES = 25_000;

/** A block in pixels of the pane. */
export interface PlacedBlock {
  readonly commandId: string;
  readonly top: number;
  readonly height: number;
  /** Columns that the first header line takes; 0 when the header is out of sight. */
  readonly headerColumns: number;
}

/** What the pane draws around the terminal. */
export interface CommandsLayout {
  readonly blocks: readonly PlacedBlock[];
  /** The command at the top of the pane whose header is scrolled out of sight. */
  readonly sticky: string | null;
  readonly atBottom: boolean;
  /** Blocks begun since the person scrolled away. */
  readonly news: number;
  readonly rowHeight: number;
  readonly columns: number;
  readonly empty: boolean;
  readonly matches: { readonly index: number; readonly count: number } | null;
  readonly state: 'loading' | 'live' | 'ended' | 'failed';
}

const FRESH: CommandsLayout = {
  blocks: [],
  sticky: null,
  atBottom: true,
  news: 0,
  rowHeight: 17,
  columns: 80,
  empty: true,
  matches: null,
  state: 'loading',
};

/** One Commands pane's terminal. */
export class CommandsTerminal implements StreamSink {
  readonly layout = createStore<CommandsLayout>(() => FRESH);
  readonly #terminal: Terminal;
  readonly #fit = new FitAddon();
  readonly #search = new SearchAddon({ highlightLimit: 5000 });
  readonly #blocks = new Blocks();
  readonly #writer: TextWriter;
  readonly #spacing = new BlockSpacing();
  #mark = '';
  #seenBlocks = 0;
  #frame = 0;

  constructor(preferences: Preferences) {
    this.#terminal = new Terminal({
      ...commonOptions(preferences),
      allowTransparency: true,
      convertEol: true,
      cursorInactiveStyle: 'none',
      cursorStyle: 'bar',
      disableStdin: true,
      scrollback: SCROLLBACK_LINES,
      theme: terminalTheme('clear'),
    });
    this.#writer = new TextWriter((text, drawn) => this.#terminal.write(this.#spacing.pass(text), drawn));
    keepToLines(this.#terminal.parser);
    this.#terminal.parser.registerOscHandler(MARK_OSC, (text) => this.#onMark(text));
    this.#terminal.loadAddon(this.#fit);
    this.#terminal.loadAddon(this.#search);
    this.#search.onDidChangeResults(({ resultIndex, resultCount }) =>
      this.layout.setState({ matches: { index: resultIndex, count: resultCount } }),
    );
    this.#terminal.attachCustomKeyEventHandler((event) => this.#onKey(event));
    this.#terminal.onRender(() => this.#measureSoon());
    this.#terminal.onScroll(() => this.#measureSoon());
    this.#terminal.onResize(() => this.#measureSoon());
  }

  /** Shows it in `element`. */
  open(element: HTMLElement, label: string): void {
    this.#terminal.open(element);
    this.#terminal.textarea?.setAttribute('aria-label', label);
    this.#terminal.textarea?.setAttribute('readonly', '');
    this.fit();
  }

  fit(): void {
    this.#fit.fit();
    this.#measureSoon();
  }

  apply(preferences: Preferences): void {
    this.#terminal.options.fontSize = preferences.fontSize;
    this.#terminal.options.screenReaderMode = preferences.screenReader;
    this.#terminal.options.theme = terminalTheme('clear');
    this.fit();
  }

  focus(): void {
    this.#terminal.focus();
  }

  text(): string {
    return terminalText(this.#terminal);
  }

  scrollToBottom(): void {
    this.#terminal.scrollToBottom();
    this.#measureSoon();
  }

  /** Scrolls to the header of the previous or next command. */
  scrollToBlock(direction: 'previous' | 'next'): void {
    const top = this.#terminal.buffer.active.viewportY;
    const lines = this.#blocks.firstLines();
    const target = direction === 'previous' ? lines.findLast((line) => line < top) : lines.find((line) => line > top);
    if (target !== undefined) this.#terminal.scrollToLine(target);
    else if (direction === 'next') this.scrollToBottom();
  }

  /** Scrolls to a command; false when it is not there. */
  scrollToCommand(commandId: string): boolean {
    const line = this.#blocks.lineOf(commandId);
    if (line === undefined) return false;
    this.#terminal.scrollToLine(Math.max(0, line - 1));
    this.#measureSoon();
    return true;
  }

  /** Finds text; `step` says where to go from the present match. */
  find(text: string, step: 'stay' | 'next' | 'previous'): void {
    const options = { decorations: findColours(), incremental: step === 'stay' };
    if (text === '') return this.endFind();
    if (step === 'previous') this.#search.findPrevious(text, options);
    else this.#search.findNext(text, options);
    return undefined;
  }

  endFind(): void {
    this.#search.clearDecorations();
    this.#terminal.clearSelection();
    this.layout.setState({ matches: null });
  }

  /** What the person selected; empty when nothing is. */
  selection(): string {
    return this.#terminal.getSelection();
  }

  dispose(): void {
    cancelAnimationFrame(this.#frame);
    this.#terminal.dispose();
  }

  opened(start: StreamStart): void {
    this.#mark = start.mark;
    this.#spacing.use(start.mark);
    this.layout.setState({ state: 'live' });
  }

  reset(): void {
    this.#writer.reset();
    this.#spacing.reset();
    this.#blocks.reset();
    this.#seenBlocks = 0;
    this.#terminal.reset();
    this.layout.setState({ ...FRESH, rowHeight: this.layout.getState().rowHeight });
  }

  write(bytes: Uint8Array, drawn: () => void): void {
    this.#writer.write(bytes, drawn);
  }

  skipped(bytes: number): void {
    this.#writer.reset();
    this.#spacing.reset();
    this.#terminal.write(`\u001b[0m\r\n\u001b[2m${byteCount(bytes)} of output are not shown here\u001b[0m\r\n`);
  }

  ended(): void {
    this.layout.setState({ state: 'ended' });
  }

  failed(): void {
    this.layout.setState({ state: 'failed' });
  }

  #onMark(text: string): boolean {
    const mark = decodeMark(this.#mark, text);
    // A marker at the present line; output that forges a mark without knowing the word is simply swallowed.
    if (mark !== undefined) this.#blocks.mark(mark, () => this.#terminal.registerMarker(0));
    return true;
  }

  /** Everything but copying and moving about belongs to the page's shortcuts. */
  #onKey(event: KeyboardEvent): boolean {
    const scrolls = event.shiftKey && (event.key === 'PageUp' || event.key === 'PageDown');
    if (scrolls || event.type !== 'keydown' || event.ctrlKey || event.metaKey || event.altKey) return scrolls;
    const pages: Readonly<Record<string, () => void>> = {
      PageUp: () => this.#terminal.scrollPages(-1),
      PageDown: () => this.#terminal.scrollPages(1),
      ArrowUp: () => this.#terminal.scrollLines(-1),
      ArrowDown: () => this.#terminal.scrollLines(1),
      Home: () => this.#terminal.scrollToTop(),
      End: () => this.#terminal.scrollToBottom(),
    };
    const move = pages[event.key];
    if (move !== undefined) {
      event.preventDefault();
      move();
      this.#measureSoon();
    }
    return false;
  }

  #measureSoon(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#measure());
  }

  #measure(): void {
    const screen = this.#terminal.element?.querySelector('.xterm-screen');
    if (!(screen instanceof HTMLElement) || screen.clientHeight === 0) return;
    const rowHeight = screen.clientHeight / this.#terminal.rows;
    const buffer = this.#terminal.buffer.active;
    const top = buffer.viewportY;
    const cursor = buffer.baseY + buffer.cursorY;
    // An empty row in which nothing was written yet belongs to no command.
    const bottom = buffer.cursorX === 0 ? cursor - 1 : cursor;
    const shown = this.#blocks.between(top, top + this.#terminal.rows - 1, bottom);
    const atBottom = top >= buffer.baseY;
    if (atBottom) this.#seenBlocks = this.#blocks.count;
    const sticky = shown.find((block) => block.first + block.headerLines <= top && block.last > top);
    this.layout.setState({
      rowHeight,
      columns: this.#terminal.cols,
      atBottom,
      news: this.#blocks.count - this.#seenBlocks,
      empty: bottom < 0,
      sticky: sticky?.commandId ?? null,
      blocks: shown.map(({ commandId, first, headerLines, last }) => ({
        commandId,
        top: (first - top) * rowHeight,
        height: (last - first + 1) * rowHeight,
        headerColumns: headerLines === 0 || first < top ? 0 : this.#columnsOf(first),
      })),
    });
  }

  #columnsOf(line: number): number {
    return this.#terminal.buffer.active.getLine(line)?.translateToString(true).length ?? 0;
  }
}
