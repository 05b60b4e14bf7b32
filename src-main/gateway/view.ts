// One attached view: its role, its open streams, its line. Life cycle from attach to close.
import type { PersonActor } from '../../src-shared/model/index.ts';
import type { EventName, EventPayload, Role } from '../../src-shared/protocol/index.ts';
import { appError } from '../../src-shared/errors.ts';
import type { Core, Log } from '../core/core.ts';
import { answerRequest, describeMalformed, readRequest } from './dispatch.ts';
import type { Handlers } from './dispatch.ts';
import type { Gateway, OwnerServices } from './port.ts';
import type { ViewStream } from './stream.ts';
import type { Ending, Wire } from './wire.ts';

/** Calls that one view may have open at once; a page of ours has a handful. */
const OPEN_CALLS_LIMIT = 200;
/** Streams that one view may have open at once: a wall of sessions with both panes. */
const STREAM_LIMIT = 64;
/** A view that does not take this much of what it was sent is gone or hopeless; it reconnects and starts afresh. */
const WAITING_LIMIT_BYTES = 16 * 1024 * 1024;
/** WebSocket close codes of the standard. */
const NOT_A_REQUEST = 1007;
const TOO_SLOW = 1013;

/** What every view shares. */
export interface ViewContext {
  readonly core: Core;
  readonly log: Log;
  readonly owner: OwnerServices;
  readonly endpoints: Gateway['endpoints'];
  readonly handlers: Handlers;
  /** Tokens were renewed: pages that came in with the old ones have to go. */
  readonly accessEnded: () => void;
  /** Bytes typed, for the journal; never what was typed. */
  readonly typed: (session: string, actor: PersonActor, bytes: number) => void;
}

/** Who a view is. */
export interface ViewIdentity {
  readonly id: string;
  readonly role: Role;
  readonly onlySession: string | null;
  readonly kind: 'window' | 'page';
}

/** One view. */
export class View {
  readonly id: string;
  readonly role: Role;
  readonly onlySession: string | null;
  readonly kind: 'window' | 'page';
  readonly actor: PersonActor;
  readonly context: ViewContext;
  readonly streams = new Map<number, ViewStream>();
  /** Set by `state.get`: from then on events keep the view current. */
  wantsEvents = false;
  readonly #wire: Wire;
  #openCalls = 0;
  #lastStreamId = 0;
  #closed = false;

  constructor(context: ViewContext, identity: ViewIdentity, wire: Wire) {
    this.context = context;
    this.id = identity.id;
    this.role = identity.role;
    this.onlySession = identity.onlySession;
    this.kind = identity.kind;
    this.actor = { kind: 'person', id: identity.id, view: identity.kind };
    this.#wire = wire;
    wire.onMessage = (message) => void this.#receive(message);
  }

  get core(): Core {
    return this.context.core;
  }

  get log(): Log {
    return this.context.log;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** True when this view may know about a session. */
  sees(session: string): boolean {
    return this.onlySession === null || this.onlySession === session;
  }

  sendEvent<Name extends EventName>(event: Name, payload: EventPayload<Name>): void {
    this.#send(JSON.stringify({ event, payload }));
  }

  sendFrame(frame: Uint8Array): void {
    if (!this.closed) this.#wire.sendFrame(frame);
  }

  /** A number for a new stream of this view; throws when it has too many. */
  nextStreamId(): number {
    if (this.streams.size >= STREAM_LIMIT) {
      throw appError('DENIED', {
        message: `This view has ${STREAM_LIMIT} streams open`,
        hint: 'Close a stream first.',
        details: { reason: 'streams' },
      });
    }
    this.#lastStreamId += 1;
    return this.#lastStreamId;
  }

  /** Ends the line with a word. */
  end(ending: Ending): void {
    this.#wire.close(ending);
  }

  /** Releases everything; the line has ended. */
  released(): void {
    this.#closed = true;
    for (const stream of this.streams.values()) stream.close();
    this.streams.clear();
  }

  async #receive(message: unknown): Promise<void> {
    const request = readRequest(message);
    if (request === undefined) return this.#refuseMessage(message);
    if (this.#openCalls >= OPEN_CALLS_LIMIT) return this.end({ code: TOO_SLOW, reason: 'too many open calls' });
    this.#openCalls += 1;
    const answer = await answerRequest(this, this.context.handlers, request);
    this.#openCalls -= 1;
    this.#send(JSON.stringify(answer));
  }

  #refuseMessage(message: unknown): void {
    this.log.warn('a view sent what is no request', { view: this.id, ...describeMalformed(message) });
    this.end({ code: NOT_A_REQUEST, reason: 'not a request' });
  }

  #send(text: string): void {
    if (this.closed) return;
    if (this.#wire.waitingBytes > WAITING_LIMIT_BYTES) {
      this.log.warn('a view was too slow and is cut off', { view: this.id, waitingBytes: this.#wire.waitingBytes });
      return this.#wire.cut();
    }
    this.#wire.sendText(text);
  }
}
