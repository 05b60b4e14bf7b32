// One exchange with a terminal: type, wait for what was asked for, and tell what is new.
import type { TerminalAnswer, TerminalRequest } from '../sessions/port.ts';
import type { Clock } from '../clock.ts';
import { Emulator } from './emulator.ts';
import type { TerminalSize } from './emulator.ts';
import { matchesWithin } from './wait-for.ts';

/** Silence after which a terminal counts as waiting for input. */
const QUIET_MS = 500;
/** A terminal that was just opened is given this long to greet and show its prompt. */
const GREETING_MS = 5000;
/** A pattern is looked for at most this often. */
const MATCH_EVERY_MS = 50;
const SCROLLBACK_LINES = 5000;
/** A pattern is looked for in this many lines at the end. */
const MATCHED_LINES = 1000;
/** Most characters of new text in an answer. */
export const NEW_TEXT_CHARS = 30_000;

/** The terminal as a conversation uses it. */
export interface Talker {
  readonly open: boolean;
  readonly size: TerminalSize;
  /** Decoded output as it comes; ends the subscription when called. */
  onText(listener: (text: string) => void): () => void;
  onClosed(listener: () => void): () => void;
  /** Types the text and keys of a request. */
  send(request: TerminalRequest): Promise<void>;
  /** The screen once all output so far is drawn. */
  look(): Promise<{
    readonly screen: string;
    readonly cursor: { readonly row: number; readonly column: number };
  }>;
}

/** What a fresh PTY has printed before anybody typed. */
export interface Greeting {
  readonly text: string;
  readonly openedAt: number;
  /** When the last of it came; 0 when nothing has. */
  readonly lastAt: number;
}

/** Characters at the end of a flood that are kept until the page can draw them. */
const LATE_CHARS = 128 * 1024;

type Event = 'text' | 'closed' | 'time' | 'aborted';

/** Takes part in the talk from now on; made before the terminal is opened, so that the greeting is new too. */
export class Conversation {
  readonly #talker: Talker;
  readonly #request: TerminalRequest;
  readonly #clock: Clock;
  readonly #deadline: number;
  readonly #stops: (() => void)[];
  #page: Emulator;
  /** Text of pages that are finished. */
  #before = '';
  #overflowed = false;
  /** The end of what came while the page was full. */
  #late = '';
  #lastText: number;
  #unseen = false;
  #wake: ((event: Event) => void) | null = null;

  constructor(talker: Talker, request: TerminalRequest, clock: Clock) {
    this.#talker = talker;
    this.#request = request;
    this.#clock = clock;
    this.#deadline = clock.now() + request.waitMs;
    this.#lastText = clock.now();
    this.#page = newPage(talker.size);
    const aborted = (): void => this.#wake?.('aborted');
    request.signal.addEventListener('abort', aborted);
    this.#stops = [
      talker.onText((text) => this.#take(text)),
      talker.onClosed(() => this.#wake?.('closed')),
      () => request.signal.removeEventListener('abort', aborted),
    ];
  }

  /** Takes text that came before this conversation was made. */
  hear(text: string): void {
    if (text !== '') this.#take(text);
  }

  /** Waits for the rest of the greeting of a fresh terminal, so that what is typed is echoed once and where it belongs. */
  async greeting({ openedAt, lastAt }: Greeting): Promise<void> {
    const giveUp = Math.min(this.#deadline, openedAt + GREETING_MS);
    if (lastAt > 0) this.#lastText = lastAt;
    let greeted = lastAt > 0 || this.#unseen;
    while (!this.#over() && this.#clock.now() < giveUp) {
      const until = greeted ? Math.min(giveUp, this.#lastText + QUIET_MS) : giveUp;
      if ((await this.#next(until)) === 'time') break;
      greeted = true;
    }
    if (this.#request.input === '' && this.#request.keys.length === 0) return;
    // What is waited for has to come after what is typed: the prompt of the greeting is no answer.
    await this.#turnPage();
  }

  async exchange(): Promise<TerminalAnswer> {
    await this.#talker.send(this.#request);
    this.#lastText = this.#clock.now();
    const { waitFor } = this.#request;
    const matched = waitFor === null ? null : await this.#untilMatch(waitFor);
    if (waitFor === null) await this.#untilQuiet();
    const { screen, cursor } = await this.#talker.look();
    await this.#turnPage();
    const output = this.#before.slice(-NEW_TEXT_CHARS);
    const truncated = this.#overflowed || output.length < this.#before.length;
    return { output, screen, cursor, matched, ended: !this.#talker.open, truncated };
  }

  close(): void {
    for (const stop of this.#stops) stop();
    this.#page.close();
  }

  async #untilQuiet(): Promise<void> {
    while (!this.#over()) {
      const quietAt = this.#lastText + QUIET_MS;
      const event = await this.#next(Math.min(quietAt, this.#deadline));
      if (event === 'time') return;
    }
  }

  async #untilMatch(pattern: RegExp): Promise<boolean> {
    for (;;) {
      this.#unseen = false;
      if (matchesWithin(pattern, await this.#page.drawn(() => this.#page.lastLines(MATCHED_LINES)))) return true;
      if (this.#over()) return false;
      if (!this.#unseen) await this.#next(this.#deadline);
      // What comes in a burst is looked at together.
      if (this.#unseen) await this.#pauseUntil(Math.min(this.#deadline, this.#clock.now() + MATCH_EVERY_MS));
    }
  }

  #over(): boolean {
    return !this.#talker.open || this.#request.signal.aborted || this.#clock.now() >= this.#deadline;
  }

  #take(text: string): void {
    if (this.#late === '' && !this.#page.full) this.#page.write(text);
    else this.#takeLater(text);
    this.#lastText = this.#clock.now();
    this.#unseen = true;
    this.#wake?.('text');
  }

  /** A flood is not drawn twice as a whole, but its end always is: that is where a prompt stands. */
  #takeLater(text: string): void {
    if (this.#late === '') this.#page.onceRoom(() => this.#drawLate());
    const all = this.#late + text;
    if (all.length > LATE_CHARS * 2) this.#overflowed = true;
    this.#late = all.length > LATE_CHARS * 2 ? all.slice(-LATE_CHARS) : all;
  }

  #drawLate(): void {
    const text = this.#late;
    this.#late = '';
    this.#page.write(text);
    this.#unseen = true;
    this.#wake?.('text');
  }

  async #turnPage(): Promise<void> {
    if (this.#late !== '') this.#drawLate();
    const text = await this.#page.drawn(() => this.#page.lastLines(SCROLLBACK_LINES * 2));
    this.#overflowed ||= this.#page.overflowed;
    this.#page.close();
    this.#page = newPage(this.#talker.size);
    this.#before = this.#before === '' || text === '' ? this.#before + text : `${this.#before}\n${text}`;
    this.#unseen = false;
  }

  /** Resolves at the next event, or as 'time' at the moment given. */
  #next(until: number): Promise<Event> {
    return new Promise((resolve) => {
      const done = (event: Event): void => {
        cancel();
        this.#wake = null;
        resolve(event);
      };
      const cancel = this.#clock.after(Math.max(0, until - this.#clock.now()), () => done('time'));
      this.#wake = done;
    });
  }

  #pauseUntil(until: number): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.after(Math.max(0, until - this.#clock.now()), resolve);
    });
  }
}

function newPage(size: TerminalSize): Emulator {
  return new Emulator({ ...size, scrollback: SCROLLBACK_LINES });
}
