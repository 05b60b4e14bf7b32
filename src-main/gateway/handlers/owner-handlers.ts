// Calls of the window alone: settings, client entries, tokens.
import type { Handlers } from '../dispatch.ts';

/** Handlers by call. */
export const ownerHandlers = {
  'settings.get': (view) => view.context.owner.settings(),
  'settings.set': async (view, { name, value }) => {
    const outcome = await view.context.owner.setSetting(name, value);
    await view.core.journal.append({ type: 'settings.changed', at: Date.now(), actor: view.actor, keys: [name] });
    return outcome;
  },
  'clientEntry.get': (view) => view.context.owner.clientEntry(),
  'tokens.get': (view) => view.context.owner.tokens(),
  'tokens.renew': async (view) => {
    await view.context.owner.renewTokens();
    view.context.accessEnded();
    return {};
  },
} satisfies Partial<Handlers>;
