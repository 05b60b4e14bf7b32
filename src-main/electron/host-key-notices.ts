// Tells the person by a notification that a host key waits for trust, also while the window is hidden.
import { Notification } from 'electron';
import type { HostKeyCard } from '../../src-shared/model/index.ts';
import type { Core } from '../core/core.ts';

/** Shows one notification per card; a click on it calls `open`. Returns what ends it. */
export function notifyHostKeys(core: Core, open: () => void): () => void {
  const told = new Set<string>();
  const shown = new Set<Notification>();
  const look = () => {
    for (const card of core.cards.list()) {
      if (card.kind !== 'host-key' || told.has(card.id)) continue;
      told.add(card.id);
      if (Notification.isSupported()) show(card, shown, open);
    }
  };
  const end = core.events.on('cards.changed', look);
  look();
  return () => {
    end();
    for (const one of shown) one.close();
  };
}

function show(card: HostKeyCard, shown: Set<Notification>, open: () => void): void {
  const notification = new Notification({
    title: `Unknown host key: ${card.host}`,
    body: `Session ${card.sessionName} waits until you trust or refuse the key.`,
  });
  // Kept while it is shown: a collected notification loses its click.
  shown.add(notification);
  notification.on('click', open);
  notification.on('close', () => shown.delete(notification));
  notification.show();
}
