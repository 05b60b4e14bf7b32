// Calls about the app as a whole: its state, the pause switch, the cards, the journal.
import { appError } from '../../../src-shared/errors.ts';
import type { Handlers } from '../dispatch.ts';
import type { View } from '../view.ts';

/** Handlers by call. */
export const appHandlers = {
  'state.get': (view) => {
    // In one turn: the state, and from here on every change, so that nothing falls between the two.
    view.wantsEvents = true;
    const { core } = view;
    const whole = view.onlySession === null;
    return {
      version: core.options.version,
      mode: core.options.mode,
      role: view.role,
      onlySession: view.onlySession,
      sessions: core.sessions
        .list()
        .map((session) => session.view())
        .filter(({ name }) => view.sees(name)),
      cards: whole ? [...core.cards.list()] : [],
      pause: core.pause.state,
      clients: whole ? [...core.clients.list()] : [],
      endpoints: view.context.endpoints,
    };
  },
  'pause.set': async (view, { state }) => {
    await view.core.pause.set(state, view.actor);
    return {};
  },
  'hostKey.answer': async (view, { id, trust }) => {
    if (!(await view.core.cards.answerHostKey(id, trust, view.actor))) throw cardGone(view, id);
    return {};
  },
  'card.dismiss': (view, { id }) => {
    view.core.cards.dismiss(id);
    return {};
  },
  'journal.search': async (view, { text, session, limit }) => ({
    events: [
      ...(await view.core.journal.search({
        limit,
        ...(text === undefined ? {} : { text }),
        ...(session === undefined ? {} : { session }),
      })),
    ],
  }),
} satisfies Partial<Handlers>;

function cardGone(view: View, id: string): Error {
  return appError('INVALID_PARAMS', {
    message: 'This question is not open any more',
    hint: 'Look at the cards that are left.',
    details: { reason: 'card_gone', id, open: view.core.cards.list().map((card) => card.id) },
  });
}
