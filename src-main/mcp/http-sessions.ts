// Sessions of MCP clients that open with initialize over HTTP: one transport and one server each, found by id.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { isInitializeRequest } from '@modelcontextprotocol/server';
import { arrive } from './client-presence.ts';
import type { ClientPresence } from './client-presence.ts';
import { STREAM_CLOSED } from './giving-up.ts';
import { NO_SESSION_ID, TOO_MANY_SESSIONS, UNKNOWN_SESSION, refuseHttp } from './http-answer.ts';
import { createServer } from './server.ts';
import type { ServerParts } from './server.ts';

/** Limits that tests shorten. */
export interface HttpSessionLimits {
  readonly maxSessions: number;
  /** Milliseconds without a request or open stream after which a session ends. */
  readonly idleMs: number;
  /** Milliseconds of the same after which its client counts as gone. */
  readonly awayMs: number;
}

/** A session costs little, and clients that meet an ended one do not all begin again by themselves. */
export const HTTP_SESSION_LIMITS: HttpSessionLimits = { maxSessions: 256, idleMs: 12 * 3_600_000, awayMs: 5 * 60_000 };

interface HttpSession {
  readonly transport: NodeStreamableHTTPServerTransport;
  readonly presence: ClientPresence;
  /** Requests and streams that are open now. */
  open: number;
  /** Moment of the last sign of life, in epoch milliseconds. */
  lastUsed: number;
}

/** All sessions of one endpoint. */
export class HttpSessions {
  readonly #sessions = new Map<string, HttpSession>();
  readonly #parts: ServerParts;
  readonly #limits: HttpSessionLimits;

  constructor(parts: ServerParts, limits: HttpSessionLimits) {
    this.#parts = parts;
    this.#limits = limits;
  }

  /** Serves a request of a session, or one that opens a session. `body` is the parsed body of a POST. */
  async handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? this.#sessions.get(id) : undefined;
    if (known !== undefined) return this.#serve(known, { request, response, body });
    if (id !== undefined) return refuseHttp(response, UNKNOWN_SESSION);
    if (request.method !== 'POST' || !isInitializeRequest(body)) return refuseHttp(response, NO_SESSION_ID);
    if (!this.#makeRoom()) return refuseHttp(response, TOO_MANY_SESSIONS);
    return this.#open({ request, response, body });
  }

  /** Ends sessions that nobody uses any more, and takes silent clients off the list. */
  sweep(now: number = Date.now()): void {
    for (const session of this.#sessions.values()) {
      const silentMs = session.open > 0 ? 0 : now - session.lastUsed;
      if (silentMs > this.#limits.idleMs) void session.transport.close();
      else if (silentMs > this.#limits.awayMs) session.presence.fade();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ transport }) => transport.close()));
  }

  async #open(exchange: Exchange): Promise<void> {
    const presence = arrive(this.#parts.core, 'http');
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => {
        this.#sessions.set(id, session);
      },
    });
    const session: HttpSession = { transport, presence, open: 0, lastUsed: Date.now() };
    transport.onclose = () => {
      presence.leave();
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
    };
    await createServer(this.#parts, presence).connect(transport);
    await this.#serve(session, exchange);
    // A first request that was refused opened nothing.
    if (transport.sessionId === undefined) await transport.close();
  }

  async #serve(session: HttpSession, { request, response, body }: Exchange): Promise<void> {
    session.open += 1;
    session.presence.introduce(undefined);
    response.once('close', () => {
      session.open -= 1;
      session.lastUsed = Date.now();
      if (!response.writableEnded) giveUp(session.transport, body);
    });
    await session.transport.handleRequest(request, response, body);
  }

  /** Lets the longest unused session go when there are too many. */
  #makeRoom(): boolean {
    if (this.#sessions.size < this.#limits.maxSessions) return true;
    const [oldest] = [...this.#sessions.values()]
      .filter(({ open }) => open === 0)
      .toSorted((a, b) => a.lastUsed - b.lastUsed);
    void oldest?.transport.close();
    return oldest !== undefined;
  }
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: unknown;
}

/** The client closed the stream of a request: nobody reads the answer, so the wait for it ends. */
function giveUp(transport: NodeStreamableHTTPServerTransport, body: unknown): void {
  if (typeof body !== 'object' || body === null || !('method' in body) || !('id' in body)) return;
  const { id } = body;
  if (typeof id !== 'string' && typeof id !== 'number') return;
  const params = { requestId: id, reason: STREAM_CLOSED };
  transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
}
