// The MCP clients that are connected, or were a moment ago.
import type { ConnectedClient } from '../../../src-shared/model/index.ts';
import type { Clock } from '../clock.ts';
import type { Clients } from '../core.ts';

/** Makes the list; `onChange` is called for what a view shows, so not for every sign of life. */
export function createClients(clock: Clock, onChange: () => void): Clients {
  const clients = new Map<string, ConnectedClient>();
  return {
    list: () => [...clients.values()],
    add(client) {
      clients.set(client.id, client);
      onChange();
    },
    touch(id, about) {
      const client = clients.get(id);
      if (client === undefined) return;
      clients.set(id, { ...client, ...about, lastSeen: clock.now() });
      if (about !== undefined && (about.name !== client.name || about.version !== client.version)) onChange();
    },
    remove(id) {
      if (clients.delete(id)) onChange();
    },
  };
}
