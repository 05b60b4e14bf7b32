// Serves MCP over HTTP at /mcp: token, size and form of a request first, then the revision that it speaks.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler, toWebRequest } from '@modelcontextprotocol/node';
import { createMcpHandler, isJsonContentType, isLegacyRequest } from '@modelcontextprotocol/server';
import type { NodeIncomingMessageLike } from '@modelcontextprotocol/node';
import type { ServerNotifier } from '@modelcontextprotocol/server';
import { MAX_LINE_BYTES } from '../../src-shared/mcp-identity.ts';
import type { HttpMount } from '../core/http-mount.ts';
import { fingerprint } from './fingerprint.ts';
import * as answers from './http-answer.ts';
import type { HttpRefusal } from './http-answer.ts';
import { readBody } from './http-body.ts';
import { HTTP_SESSION_LIMITS, HttpSessions } from './http-sessions.ts';
import type { HttpSessionLimits } from './http-sessions.ts';
import { StatelessClients } from './http-stateless.ts';
import { shapeFault } from './json-shape.ts';
import { createServer } from './server.ts';
import type { ServerParts } from './server.ts';
import { sameToken } from './token.ts';

/** Milliseconds between looks for sessions that nobody uses any more. */
const SWEEP_MS = 30_000;

/** What the mount needs. */
export interface HttpMountOptions extends ServerParts {
  /** The token that counts now. */
  readonly token: () => string;
  readonly limits?: Partial<HttpSessionLimits>;
  /** Gets the way to announce changed lists to stateless clients; tests use it. */
  readonly onNotifier?: (notifier: ServerNotifier) => void;
}

/** The mount for the gateway, which has checked Host and Origin before. */
export function createMcpHttpMount(options: HttpMountOptions): HttpMount {
  return new McpHttpMount(options);
}

class McpHttpMount implements HttpMount {
  readonly prefix = '/mcp';
  readonly #options: HttpMountOptions;
  readonly #sessions: HttpSessions;
  readonly #clients: StatelessClients;
  readonly #stateless: ReturnType<typeof createMcpHandler>;
  readonly #statelessNode: ReturnType<typeof toNodeHandler>;
  readonly #sweep: NodeJS.Timeout;

  constructor(options: HttpMountOptions) {
    const limits = { ...HTTP_SESSION_LIMITS, ...options.limits };
    this.#options = options;
    this.#sessions = new HttpSessions(options, limits);
    this.#clients = new StatelessClients(options.core, limits.awayMs);
    this.#stateless = createMcpHandler(() => createServer(options, this.#clients.visitor()), {
      legacy: 'reject',
      maxRequestBodySize: MAX_LINE_BYTES,
      onerror: (error) => options.log.debug('MCP over HTTP reported a fault', { error }),
    });
    this.#statelessNode = toNodeHandler(this.#stateless, {
      onerror: (error) => options.log.error('MCP over HTTP failed', { error }),
    });
    this.#sweep = setInterval(() => this.#sweepAll(), SWEEP_MS).unref();
    options.onNotifier?.(this.#stateless.notify);
  }

  admits(request: IncomingMessage): boolean {
    const given = bearerOf(request);
    return given !== undefined && sameToken(given, this.#options.token());
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = this.#refusalOf(request);
    if (refusal !== undefined) return this.#refuse(request, response, refusal);
    if (request.method !== 'POST') return this.#sessions.handle(request, response, undefined);
    const body = await readBody(request, MAX_LINE_BYTES);
    if (body.kind === 'too-long') return this.#refuse(request, response, answers.tooLong(body.bytes, MAX_LINE_BYTES));
    const fault = shapeFault(body.bytes);
    if (fault !== undefined) {
      this.#options.log.warn('MCP body refused', { why: fault, ...fingerprint(body.bytes) });
      return answers.refuseHttp(response, answers.wrongShape(fault));
    }
    const parsed = parseJson(body.bytes);
    if (parsed === undefined) {
      // Not JSON: it may hold anything, so only its size and hash are logged.
      this.#options.log.warn('MCP body is not JSON', fingerprint(body.bytes));
      return answers.refuseHttp(response, answers.NOT_JSON);
    }
    return this.#serve(request, response, parsed.value);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    await Promise.all([this.#sessions.close(), this.#stateless.close()]);
    this.#clients.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    // The revision is told by headers and parsed body; the empty object spares writing a long body as text again.
    const withSession = await isLegacyRequest(await toWebRequest(plainRequest(request), {}), body);
    if (withSession) return this.#sessions.handle(request, response, body);
    return this.#statelessNode(plainRequest(request), response, body);
  }

  /** What can be refused before the body is read; the token comes first of all. */
  #refusalOf(request: IncomingMessage): HttpRefusal | undefined {
    if (pathOf(request) !== this.prefix) return answers.NOT_HERE;
    if (bearerOf(request) === undefined) return answers.NO_TOKEN;
    if (!this.admits(request)) return answers.WRONG_TOKEN;
    if (!['POST', 'GET', 'DELETE'].includes(request.method ?? '')) return answers.WRONG_METHOD;
    return request.method === 'POST' && !isJsonContentType(request.headers['content-type'] ?? null)
      ? answers.NOT_JSON_TYPE
      : undefined;
  }

  #refuse(request: IncomingMessage, response: ServerResponse, refusal: HttpRefusal): void {
    const { status, message } = refusal;
    this.#options.log.warn('MCP request over HTTP refused', { method: request.method, status, message });
    answers.refuseHttp(response, refusal);
    // What is still on its way is thrown away, or the answer could be lost to a reset.
    request.resume();
  }

  #sweepAll(): void {
    this.#sessions.sweep();
    this.#clients.sweep();
  }
}

/** The request in the shape that the SDK's adapters take; its body is read already. */
const plainRequest = (request: IncomingMessage): NodeIncomingMessageLike => ({
  method: request.method ?? 'GET',
  url: request.url ?? '/',
  headers: request.headers,
  [Symbol.asyncIterator]: () => request[Symbol.asyncIterator](),
});

const bearerOf = (request: IncomingMessage): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];

function pathOf(request: IncomingMessage): string {
  const [path = ''] = (request.url ?? '').split('?');
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

function parseJson(bytes: Buffer): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(bytes.toString('utf8')) };
  } catch {
    // The caller says so to the client and logs what may be logged.
    return undefined;
  }
}
