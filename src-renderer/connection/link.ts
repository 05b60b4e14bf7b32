// The line to the gateway over its whole life: opens, loses, retries; calls and streams ride on it.
import { EVENTS, decodeFrame, serverMessageSchema } from '../../src-shared/protocol/index.ts';
import type { AppState, EventName, EventPayload } from '../../src-shared/protocol/index.ts';
import { backOffMs } from './back-off.ts';
import { Calls } from './calls.ts';
import { Streams } from './streams.ts';
import type { Door, Transport, TransportEnd } from './transport.ts';

/** How the line is. */
export type LinkPhase =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'online' }
  /** Lost; the next try starts at `retryAt`. */
  | { readonly kind: 'waiting'; readonly retryAt: number; readonly attempt: number }
  /** The page has to show a token. */
  | { readonly kind: 'locked' }
  | { readonly kind: 'ended'; readonly why: 'session-closed' | 'too-many-views' };

/** What to do with each event. */
export type EventHandlers = { readonly [Name in EventName]: (payload: EventPayload<Name>) => void };

/** Who is told what. */
export interface LinkListener {
  onPhase(phase: LinkPhase): void;
  /** The whole state, after each connect. */
  onState(state: AppState): void;
  readonly events: Omit<EventHandlers, 'stream.skipped' | 'stream.ended'>;
}

/** Silence after which the line is checked. */
const QUIET_MS = 20_000;
/** How long the check, or the first state, may take. */
const CHECK_MS = 10_000;

function isEvent(name: string): name is EventName {
  return name in EVENTS;
}

function deliver<Name extends EventName>(name: Name, payload: unknown, handlers: EventHandlers): void {
  // Checked by the schema of this very event; the compiler cannot follow the name through the map.
  handlers[name](EVENTS[name].parse(payload) as EventPayload<Name>);
}

/** The one line of this view. */
export class Link {
  readonly #door: Door;
  readonly #listener: LinkListener;
  readonly #calls = new Calls((text) => this.#send(text));
  readonly #handlers: EventHandlers;
  readonly streams: Streams;
  readonly call = this.#calls.call;
  #transport: Transport | undefined;
  #phase: LinkPhase = { kind: 'connecting' };
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(door: Door, listener: LinkListener) {
    this.#door = door;
    this.#listener = listener;
    this.streams = new Streams(this.call);
    this.#handlers = {
      ...listener.events,
      'stream.skipped': (event) => this.streams.skipped(event),
      'stream.ended': (event) => this.streams.ended(event),
    };
  }

  get phase(): LinkPhase {
    return this.#phase;
  }

  /** Connects for the first time; a page that has no way in yet says so without trying. */
  start(): void {
    void this.#door.access().then((access) => {
      if (access === 'needed') this.#enter({ kind: 'locked' });
      else this.connect();
    });
  }

  /** Connects now, whatever it was waiting for. */
  connect(): void {
    this.#drop();
    if (this.#attempt === 0) this.#enter({ kind: 'connecting' });
    let opened = false;
    this.#after(CHECK_MS, () => this.#ended('lost', opened));
    this.#transport = this.#door.open({
      onOpen: () => {
        opened = true;
        void this.#begin();
      },
      onText: (text) => this.#text(text),
      onBytes: (bytes) => this.#bytes(bytes),
      onEnd: (end) => this.#ended(end, opened),
    });
  }

  /** Tries at once when it is waiting: the computer woke up, the network is back, or the person asks. */
  hurry(): void {
    if (this.#phase.kind === 'waiting') this.connect();
  }

  /** Ends it for good. */
  close(): void {
    this.#drop();
  }

  async #begin(): Promise<void> {
    const transport = this.#transport;
    try {
      const state = await this.call('state.get', {});
      if (transport !== this.#transport) return;
      this.#attempt = 0;
      this.#listener.onState(state);
      this.#enter({ kind: 'online' });
      this.streams.online();
      this.#watch();
    } catch {
      // Whatever the reason: a gateway that cannot tell its state is one to try again.
      if (transport === this.#transport) this.#ended('lost', true);
    }
  }

  #text(text: string): void {
    this.#watch();
    const message = serverMessageSchema.parse(JSON.parse(text));
    if ('id' in message) this.#calls.answer(message);
    // Another version of the app may know events that this page does not.
    else if (isEvent(message.event)) deliver(message.event, message.payload, this.#handlers);
  }

  #bytes(bytes: Uint8Array): void {
    this.#watch();
    const frame = decodeFrame(bytes);
    if (frame !== undefined) this.streams.frame(frame);
  }

  /** A line that is silent may be dead without anybody having been told: ask something small. */
  #watch(): void {
    if (this.#phase.kind !== 'online') return;
    this.#after(QUIET_MS, () => {
      this.#after(CHECK_MS, () => this.#ended('lost', true));
      this.call('state.get', {}).then(
        (state) => this.#listener.onState(state),
        () => undefined,
      );
    });
  }

  #ended(end: TransportEnd, wasOpen: boolean): void {
    this.#drop();
    if (end === 'access-ended') return this.#enter({ kind: 'locked' });
    if (end !== 'lost') return this.#enter({ kind: 'ended', why: end });
    this.#attempt += 1;
    if (wasOpen) return this.#wait();
    void this.#door.access().then((access) => {
      if (this.#transport !== undefined) return;
      if (access === 'needed') this.#enter({ kind: 'locked' });
      else this.#wait();
    });
    return undefined;
  }

  #wait(): void {
    const delay = backOffMs(this.#attempt);
    this.#enter({ kind: 'waiting', retryAt: Date.now() + delay, attempt: this.#attempt });
    this.#after(delay, () => this.connect());
  }

  #drop(): void {
    clearTimeout(this.#timer);
    this.#transport?.close();
    this.#transport = undefined;
    this.streams.offline();
    this.#calls.failAll();
  }

  #after(ms: number, work: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(work, ms);
  }

  #send(text: string): boolean {
    if (this.#transport === undefined) return false;
    this.#transport.send(text);
    return true;
  }

  #enter(phase: LinkPhase): void {
    this.#phase = phase;
    this.#listener.onPhase(phase);
  }
}
