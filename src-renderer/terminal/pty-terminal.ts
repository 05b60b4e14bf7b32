// The Terminal pane's terminal: draws a session's PTY; passes on what the person types while that is allowed.
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import { createStore } from 'zustand/vanilla';
import type { StreamSink, StreamStart } from '../connection/streams.ts';
import { byteCount } from '../format/bytes.ts';
import type { Preferences } from '../state/preferences-store.ts';
import { terminalTheme } from './colours.ts';
import { TextWriter, commonOptions, terminalText } from './options.ts';
import { silenceQueries } from './silence-queries.ts';

/** Size in characters. */
export interface Size {
  readonly cols: number;
  readonly rows: number;
}

/** What the terminal needs from the pane. */
export interface PtyHooks {
  /** The person typed or pasted. */
  input(bytes: Uint8Array): void;
  /** The person clicked a link that the host's output holds. */
  link(address: string): void;
  /** True for keys that the page takes before the host. */
  isShortcut(event: KeyboardEvent): boolean;
}

/** Whether there is something to see. */
export interface PtyState {
  readonly state: 'loading' | 'live' | 'ended' | 'failed';
}

/** Lines that scroll back. */
const SCROLLBACK_LINES = 10_000;
const LEAST: Size = { cols: 20, rows: 5 };

const binary = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff);

/** One Terminal pane's terminal. */
export class PtyTerminal implements StreamSink {
  readonly state = createStore<PtyState>(() => ({ state: 'loading' }));
  readonly #terminal: Terminal;
  readonly #fit = new FitAddon();
  readonly #writer: TextWriter;
  #driving = false;

  constructor(preferences: Preferences, hooks: PtyHooks) {
    this.#terminal = new Terminal({
      ...commonOptions(preferences),
      cursorBlink: false,
      cursorInactiveStyle: 'outline',
      disableStdin: true,
      lineHeight: 1,
      linkHandler: { activate: (_event, address) => hooks.link(address) },
      scrollback: SCROLLBACK_LINES,
      theme: terminalTheme('solid'),
    });
    this.#writer = new TextWriter((text, drawn) => this.#terminal.write(text, drawn));
    silenceQueries(this.#terminal.parser);
    this.#terminal.loadAddon(this.#fit);
    this.#terminal.onData((text) => {
      if (this.#driving) hooks.input(new TextEncoder().encode(text));
    });
    this.#terminal.onBinary((text) => {
      if (this.#driving) hooks.input(binary(text));
    });
    this.#terminal.attachCustomKeyEventHandler((event) => this.#driving && !hooks.isShortcut(event));
  }

  open(element: HTMLElement, label: string): void {
    this.#terminal.open(element);
    this.#terminal.textarea?.setAttribute('aria-label', label);
  }

  /** The size that fills the pane, for the one who drives. */
  wantedSize(): Size | undefined {
    const size = this.#fit.proposeDimensions();
    if (size === undefined || !Number.isFinite(size.cols) || !Number.isFinite(size.rows)) return undefined;
    return { cols: Math.max(LEAST.cols, size.cols), rows: Math.max(LEAST.rows, size.rows) };
  }

  resize({ cols, rows }: Size): void {
    this.#terminal.resize(cols, rows);
  }

  /** Lets the person type, or not. */
  drive(driving: boolean): void {
    this.#driving = driving;
    this.#terminal.options.disableStdin = !driving;
  }

  apply(preferences: Preferences): void {
    this.#terminal.options.fontSize = preferences.fontSize;
    this.#terminal.options.screenReaderMode = preferences.screenReader;
    this.#terminal.options.theme = terminalTheme('solid');
  }

  focus(): void {
    this.#terminal.focus();
  }

  text(): string {
    return terminalText(this.#terminal);
  }

  /** What the person selected; empty when nothing is. */
  selection(): string {
    return this.#terminal.getSelection();
  }

  dispose(): void {
    this.#terminal.dispose();
  }

  opened(start: StreamStart): void {
    if (start.cols > 0 && start.rows > 0) this.resize(start);
    this.state.setState({ state: 'live' });
  }

  reset(): void {
    this.#writer.reset();
    this.#terminal.reset();
  }

  write(bytes: Uint8Array, drawn: () => void): void {
    this.#writer.write(bytes, drawn);
  }

  skipped(bytes: number): void {
    this.#writer.reset();
    this.#terminal.write(`\u001b[0m\r\n${byteCount(bytes)} are not shown here\r\n`);
  }

  ended(): void {
    this.state.setState({ state: 'ended' });
  }

  failed(): void {
    this.state.setState({ state: 'failed' });
  }
}
