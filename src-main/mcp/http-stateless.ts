// Clients of the revision without sessions: each request brings who it is from, so the list is kept by that.
import type { Core } from '../core/core.ts';
import { arrive, readClientInfo } from './client-presence.ts';
import type { ClientPresence } from './client-presence.ts';

/** Clients by name and version; those of the same name and version count as one. */
export class StatelessClients {
  readonly #clients = new Map<string, { readonly presence: ClientPresence; lastUsed: number }>();

  constructor(
    private readonly core: Core,
    /** Milliseconds without a request after which a client counts as gone. */
    private readonly awayMs: number,
  ) {}

  /** The client that says this about itself. */
  of(clientInfo: unknown): ClientPresence {
    const about = readClientInfo(clientInfo);
    const key = JSON.stringify([about?.name, about?.version]);
    const client = this.#clients.get(key) ?? { presence: arrive(this.core, 'http'), lastUsed: 0 };
    this.#clients.set(key, client);
    client.lastUsed = Date.now();
    client.presence.introduce(clientInfo);
    return client.presence;
  }

  /** Stands in for the client of one request until the request says who it is. */
  visitor(): ClientPresence {
    let client: ClientPresence | undefined;
    const known = (): ClientPresence => (client ??= this.of(undefined));
    return {
      get actor() {
        return known().actor;
      },
      get label() {
        return client?.label ?? 'stateless client';
      },
      introduce: (clientInfo) => {
        client = this.of(clientInfo);
      },
      // The request ends, the client stays until it has been silent for long.
      fade: () => undefined,
      leave: () => undefined,
    };
  }

  sweep(now: number = Date.now()): void {
    for (const [key, { presence, lastUsed }] of this.#clients) {
      if (now - lastUsed <= this.awayMs) continue;
      presence.leave();
      this.#clients.delete(key);
    }
  }

  close(): void {
    for (const { presence } of this.#clients.values()) presence.leave();
    this.#clients.clear();
  }
}
