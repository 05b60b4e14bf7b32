// Counts the requests of one connection that were not answered yet, so that one client cannot pile up work for ever.
import type { JSONRPCMessage } from '@modelcontextprotocol/server';

/** Requests of one connection at once; what comes beyond is answered with an error. */
export const MAX_IN_FLIGHT = 1_000;

/** The requests of one connection. */
export class InFlight {
  readonly #ids = new Set<string | number>();

  /** Notes an incoming message; false when it is a request too many. */
  arrives(message: JSONRPCMessage): boolean {
    if (!('method' in message)) return true;
    if (!('id' in message)) {
      // A request that was cancelled may never be answered.
      const cancelled = message.method === 'notifications/cancelled' ? message.params?.['requestId'] : undefined;
      if (typeof cancelled === 'string' || typeof cancelled === 'number') this.#ids.delete(cancelled);
      return true;
    }
    if (this.#ids.size >= MAX_IN_FLIGHT) return false;
    this.#ids.add(message.id);
    return true;
  }

  /** Notes an outgoing message. */
  leaves(message: JSONRPCMessage): void {
    if (!('method' in message) && message.id !== undefined) this.#ids.delete(message.id);
  }
}
