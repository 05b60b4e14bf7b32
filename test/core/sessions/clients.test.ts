// The list of connected clients.
import { describe, expect, it } from 'vitest';
import { createClients } from '../../../src-main/core/sessions/clients.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

describe('clients', () => {
  it('tells what a view shows and not every sign of life', () => {
    const clock = createFakeClock();
    let changes = 0;
    const clients = createClients(clock, () => (changes += 1));
    const since = clock.now();
    clients.add({ id: 'c1', name: 'new', version: '', transport: 'stdio', since, lastSeen: since });
    clock.advance(5000);
    clients.touch('c1');
    expect(changes).toBe(1);
    clients.touch('c1', { name: 'Claude', version: '2' });
    clients.touch('c1', { name: 'Claude', version: '2' });
    clients.touch('nobody');
    expect(changes).toBe(2);
    expect(clients.list()).toEqual([
      { id: 'c1', name: 'Claude', version: '2', transport: 'stdio', since, lastSeen: since + 5000 },
    ]);
    clients.remove('c1');
    clients.remove('c1');
    expect({ changes, list: clients.list() }).toEqual({ changes: 3, list: [] });
  });
});
