// All attached views: attaching, counting, and sending away those whose way in has ended.
import { randomUUID } from 'node:crypto';
import { SOCKET_CLOSE } from '../../src-shared/protocol/index.ts';
import { broadcast } from './broadcast.ts';
import { View } from './view.ts';
import type { ViewContext, ViewIdentity } from './view.ts';
import type { Ending, Wire } from './wire.ts';

/** Pages and windows at once. */
const VIEW_LIMIT = 64;

const SHUTTING_DOWN: Ending = { code: 1001, reason: 'Patchbay is closing' };

/** The views of the running gateway. */
export class Views {
  readonly #views = new Map<string, View>();
  readonly #context: ViewContext;
  readonly #ends: readonly (() => void)[];

  constructor(context: Omit<ViewContext, 'accessEnded'>) {
    this.#context = { ...context, accessEnded: () => this.#sendPagesAway() };
    const { events } = context.core;
    this.#ends = [
      broadcast(context.core, () => this.#views.values()),
      // After the broadcast above, so that the views of a closed session's ticket learn why they end.
      events.on('session.removed', ({ name }) => this.#endTicketsOf(name)),
    ];
  }

  get count(): number {
    return this.#views.size;
  }

  /** Attaches a view; undefined (and the line closed) when there are too many. */
  attach(identity: Omit<ViewIdentity, 'id'>, wire: Wire): View | undefined {
    if (this.#views.size >= VIEW_LIMIT) {
      this.#context.log.warn('a view was refused: too many', { limit: VIEW_LIMIT });
      wire.close({ code: SOCKET_CLOSE.TOO_MANY_VIEWS, reason: 'too many views' });
      return undefined;
    }
    const view = new View(this.#context, { ...identity, id: randomUUID() }, wire);
    this.#views.set(view.id, view);
    wire.onClose = () => {
      this.#views.delete(view.id);
      view.released();
      this.#context.log.info('view gone', { view: view.id });
    };
    const { role, kind, onlySession } = identity;
    this.#context.log.info('view attached', { view: view.id, role, kind, onlySession });
    return view;
  }

  close(): void {
    for (const end of this.#ends) end();
    for (const view of this.#views.values()) view.end(SHUTTING_DOWN);
  }

  #endTicketsOf(session: string): void {
    for (const view of this.#views.values()) {
      if (view.onlySession === session)
        view.end({ code: SOCKET_CLOSE.SESSION_CLOSED, reason: 'the session is closed' });
    }
  }

  /** A ticket is no token: its page stays. */
  #sendPagesAway(): void {
    for (const view of this.#views.values()) {
      if (view.kind === 'page' && view.onlySession === null) {
        view.end({ code: SOCKET_CLOSE.ACCESS_ENDED, reason: 'the tokens were renewed' });
      }
    }
  }
}
