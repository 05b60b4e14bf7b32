// The PTY of a session: opens it, keeps its output, answers its queries, types into it.
import type { ByteStream, TerminalAnswer, TerminalLane, TerminalRequest } from '../sessions/port.ts';
import type { ShellChannel } from '../ssh/port.ts';
import { appError } from '../../../src-shared/errors.ts';
import type { Clock } from '../clock.ts';
import { Conversation } from './conversation.ts';
import type { Greeting } from './conversation.ts';
import { Emulator } from './emulator.ts';
import type { TerminalSize } from './emulator.ts';
import { keyBytes, typedText } from './keys.ts';
import { SequenceTracker } from './sequence-tracker.ts';
import { TailStream } from './tail-stream.ts';

const TERM = 'xterm-256color';
const KEEP_BYTES = 8 * 1024 * 1024;
/** Lines above the screen that a view gets with its snapshot. */
const SCROLLBACK_LINES = 1000;
/** Characters of a greeting that are kept for the first conversation. */
const GREETING_CHARS = 16 * 1024;
const DEFAULT_SIZE: TerminalSize = { cols: 120, rows: 30 };
/** Undoes what the last program may have left: modes, mouse reports, bracketed paste, other screen. */
const SOFT_RESET = '\u001b[!p\u001b[?1000l\u001b[?1002l\u001b[?1003l\u001b[?1006l\u001b[?2004l\u001b[?1l';

/** What the lane needs of its session. */
export interface TerminalLaneOptions {
  readonly clock: Clock;
  /** Opens the channel on the connection as it is now. Rejects with SESSION_LOST or UNSUPPORTED. */
  readonly openShell: (size: TerminalSize & { readonly term: string }) => Promise<ShellChannel>;
  /** Opened, closed, typed or printed. */
  readonly onActivity: () => void;
}

/** The terminal lane of one session; lives as long as the session, over any number of PTYs. */
export class PtyLane implements TerminalLane {
  readonly #options: TerminalLaneOptions;
  readonly #stream = new TailStream(KEEP_BYTES);
  readonly #tracker = new SequenceTracker();
  readonly #emulator: Emulator;
  readonly #resizeListeners = new Set<() => void>();
  readonly #textListeners = new Set<(text: string) => void>();
  readonly #closeListeners = new Set<() => void>();
  #decoder = newDecoder();
  #channel: ShellChannel | null = null;
  #opening: Promise<void> | null = null;
  #talks: Promise<unknown> = Promise.resolve();
  #closed = false;
  #endedByHost = false;
  /** What a PTY has printed until somebody types: its greeting, which belongs to the first conversation. */
  #greeting: Greeting | null = null;

  constructor(options: TerminalLaneOptions) {
    this.#options = options;
    const onAnswer = (text: string): void => void this.#channel?.write(text).catch(ignoreClosed);
    this.#emulator = new Emulator({ ...DEFAULT_SIZE, scrollback: SCROLLBACK_LINES, onAnswer });
  }

  get open(): boolean {
    return this.#channel !== null;
  }

  /** The last PTY ended with an exit status of the host: somebody or something logged out there. */
  get endedByHost(): boolean {
    return this.#endedByHost;
  }

  get cols(): number {
    return this.#emulator.cols;
  }

  get rows(): number {
    return this.#emulator.rows;
  }

  get stream(): ByteStream {
    return this.#stream;
  }

  snapshot(): Promise<{ readonly bytes: Buffer; readonly offset: number }> {
    // The offset is taken now, the drawing when everything up to now is drawn: what comes later belongs to the reader.
    const offset = this.#tracker.safeOffset;
    return this.#emulator.drawn(() => ({ bytes: Buffer.from(this.#emulator.drawing(SCROLLBACK_LINES)), offset }));
  }

  async ensureOpen(size: TerminalSize): Promise<void> {
    if (this.open) return;
    this.#opening ??= this.#open(size).finally(() => {
      this.#opening = null;
    });
    await this.#opening;
  }

  async type(bytes: Uint8Array): Promise<void> {
    if (this.#channel === null) {
      throw appError('UNSUPPORTED', {
        message: 'The terminal of this session is not open',
        hint: 'Open the terminal first.',
        details: { reason: 'terminal_closed' },
      });
    }
    this.#greeting = null;
    this.#options.onActivity();
    await this.#channel.write(bytes);
  }

  resize(cols: number, rows: number): void {
    if (cols === this.cols && rows === this.rows) return;
    this.#emulator.resize({ cols, rows });
    this.#channel?.resize(cols, rows);
    for (const listener of [...this.#resizeListeners]) listener();
  }

  onResize(listener: () => void): () => void {
    this.#resizeListeners.add(listener);
    return () => this.#resizeListeners.delete(listener);
  }

  converse(request: TerminalRequest): Promise<TerminalAnswer> {
    // One talk at a time: two callers would read each other's answers.
    const talk = this.#talks.then(() => this.#talk(request));
    this.#talks = talk.catch(() => undefined);
    return talk;
  }

  /** Ends the PTY and the stream; readers keep what was printed. */
  close(): void {
    this.#closed = true;
    const channel = this.#channel;
    if (channel !== null) {
      this.#ended();
      channel.close();
    }
    this.#stream.end();
    this.#emulator.close();
  }

  async #talk(request: TerminalRequest): Promise<TerminalAnswer> {
    request.signal.throwIfAborted();
    const conversation = new Conversation(this.#talker(), request, this.#options.clock);
    try {
      // Made before this, the conversation has heard all of a new greeting; of an older one it is told.
      if (this.open) conversation.hear(this.#greeting?.text ?? '');
      await this.ensureOpen(DEFAULT_SIZE);
      if (this.#greeting !== null) await conversation.greeting(this.#greeting);
      this.#greeting = null;
      return await conversation.exchange();
    } finally {
      conversation.close();
    }
  }

  #talker() {
    const isOpen = (): boolean => this.open;
    return {
      get open() {
        return isOpen();
      },
      size: { cols: this.cols, rows: this.rows },
      onText: (listener: (text: string) => void) => subscribe(this.#textListeners, listener),
      onClosed: (listener: () => void) => subscribe(this.#closeListeners, listener),
      send: (request: TerminalRequest) => this.#send(request),
      look: () => this.#emulator.drawn(() => ({ screen: this.#emulator.screenText(), cursor: this.#emulator.cursor })),
    };
  }

  async #send(request: TerminalRequest): Promise<void> {
    const keys = request.keys.map((key) => keyBytes(key, this.#emulator.applicationCursor) ?? '');
    const text = typedText(request.input) + keys.join('');
    if (text !== '' && this.open) await this.type(Buffer.from(text));
  }

  async #open(size: TerminalSize): Promise<void> {
    if (this.#closed) throw appError('SESSION_LOST', { message: 'This session is closed', retry: 'no' });
    const again = this.#stream.length > 0;
    // Looked up before the channel is there: its first bytes must find their receiver at once.
    const alternate = await this.#emulator.drawn(() => this.#emulator.alternateScreen);
    const channel = await this.#options.openShell({ ...size, term: TERM });
    if (this.#closed) {
      channel.close();
      return;
    }
    this.#decoder = newDecoder();
    if (again) this.#print(SOFT_RESET + (alternate ? '\u001b[?1049l\r\n' : ''));
    this.#channel = channel;
    channel.onData = (bytes) => this.#received(channel, bytes);
    this.#endedByHost = false;
    this.#greeting = { text: '', openedAt: this.#options.clock.now(), lastAt: 0 };
    channel.onClose = ({ exitCode }) => {
      if (this.#channel !== channel) return;
      this.#endedByHost = exitCode !== null;
      this.#ended();
    };
    this.resize(size.cols, size.rows);
    this.#options.onActivity();
  }

  #received(channel: ShellChannel, bytes: Buffer): void {
    this.#stream.append(bytes);
    this.#tracker.push(bytes);
    this.#draw(this.#decoder.decode(bytes, { stream: true }));
    this.#options.onActivity();
    if (!this.#emulator.full) return;
    channel.pause();
    this.#emulator.onceRoom(() => channel.resume());
  }

  #draw(text: string): void {
    this.#emulator.write(text);
    if (this.#greeting !== null) {
      const kept = (this.#greeting.text + text).slice(-GREETING_CHARS);
      this.#greeting = { ...this.#greeting, text: kept, lastAt: this.#options.clock.now() };
    }
    for (const listener of [...this.#textListeners]) listener(text);
  }

  /** Words of ours in the stream; views and emulator get the same. */
  #print(text: string): void {
    const bytes = Buffer.from(text);
    this.#stream.append(bytes);
    this.#tracker.push(bytes);
    this.#emulator.write(text);
  }

  #ended(): void {
    this.#channel = null;
    // CAN ends a control sequence that was cut off, so that this line is seen.
    this.#print('\u0018\u001b[0m\r\n\u001b[2m[terminal closed]\u001b[0m\r\n');
    for (const listener of [...this.#closeListeners]) listener();
    this.#options.onActivity();
  }
}

/** One decoder per PTY; a byte-order mark is output like any other. */
function newDecoder(): TextDecoder {
  return new TextDecoder('utf-8', { ignoreBOM: true });
}

function subscribe<T>(set: Set<T>, listener: T): () => void {
  set.add(listener);
  return () => set.delete(listener);
}

/** An answer to a query that finds the channel closed has nobody left to hear it. */
function ignoreClosed(): void {}
