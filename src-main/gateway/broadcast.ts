// Passes what the core tells on to the views, to each what it may know.
import type { EventName, EventPayload } from '../../src-shared/protocol/index.ts';
import type { Core } from '../core/core.ts';
import type { View } from './view.ts';

/** Subscribes to the core for all views; returns what ends it. */
export function broadcast(core: Core, views: () => Iterable<View>): () => void {
  const toAll = <Name extends EventName>(event: Name, payload: EventPayload<Name>, sees: (view: View) => boolean) => {
    for (const view of views()) if (view.wantsEvents && sees(view)) view.sendEvent(event, payload);
  };
  const aboutSession = (name: string) => (view: View) => view.sees(name);
  // Cards and clients tell about other sessions and programs: not for a ticket's view.
  const whole = (view: View) => view.onlySession === null;
  const ends = [
    core.events.on('session.changed', (session) => toAll('session.changed', { session }, aboutSession(session.name))),
    core.events.on('session.removed', ({ name }) => toAll('session.removed', { name }, aboutSession(name))),
    core.events.on('command.changed', (command) =>
      toAll('command.changed', { command }, aboutSession(command.sessionName)),
    ),
    core.events.on('cards.changed', () => toAll('cards.changed', { cards: [...core.cards.list()] }, whole)),
    core.events.on('pause.changed', (pause) => toAll('pause.changed', { pause }, () => true)),
    core.events.on('clients.changed', () => toAll('clients.changed', { clients: [...core.clients.list()] }, whole)),
    core.events.on('terminal.resized', (size) => toAll('terminal.resized', size, aboutSession(size.session))),
  ];
  return () => {
    for (const end of ends) end();
  };
}
