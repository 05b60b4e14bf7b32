// A made-up controller of a lab, for what the real server cannot be made to do: tokens of seconds, other versions, odd answers.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that it got. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** What it answers; a text goes out as it is. */
export interface MadeUpAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: http.OutgoingHttpHeaders;
}

/** How it behaves. */
export interface ControllerOptions {
  /** Default `3.0.6`. Null: it has no version 3 at all. */
  readonly version?: string | null;
  readonly version2?: string;
  /** Milliseconds that a token lives; default: for ever. */
  readonly tokenMs?: number;
  /** Answers what is asked with a token; undefined: 404. */
  readonly answer?: (request: SeenRequest) => MadeUpAnswer | undefined;
}

/** It runs. */
export interface LabController {
  readonly base: string;
  readonly password: string;
  /** Requests that came with a token that counted. */
  readonly seen: readonly SeenRequest[];
  readonly logins: number;
  /** Makes every token that was given out invalid. */
  forgetTokens(): void;
  close(): Promise<void>;
}

/** User `admin`. */
export const CONTROLLER_PASSWORD = 'lab-fixture';

/** Starts one on a free port. */
export async function startLabController(options: ControllerOptions = {}): Promise<LabController> {
  const tokens = new Map<string, number>();
  const seen: SeenRequest[] = [];
  let logins = 0;
  const login = (body: unknown): MadeUpAnswer => {
    logins += 1;
    if (!JSON.stringify(body).includes(`"${CONTROLLER_PASSWORD}"`)) {
      return { status: 401, body: { message: 'Authentication was unsuccessful.' } };
    }
    const token = randomUUID();
    tokens.set(token, Date.now() + (options.tokenMs ?? Infinity));
    return { status: 200, body: { access_token: token, token_type: 'bearer' } };
  };
  const respond = (request: SeenRequest, token: string): MadeUpAnswer => {
    const fixed = versionAnswer(options, request.path);
    if (fixed !== undefined) return fixed;
    if (request.path === '/v3/access/users/authenticate') return login(request.body);
    if (!((tokens.get(token) ?? 0) > Date.now())) {
      return { status: 401, body: { message: 'Could not validate credentials' } };
    }
    seen.push(request);
    return options.answer?.(request) ?? { status: 404, body: { detail: 'Not Found' } };
  };
  const server = http.createServer((request, response) => {
    void readJson(request).then((body) => {
      const asked = { method: request.method ?? '', path: request.url ?? '', body };
      const {
        status,
        body: out,
        headers,
      } = respond(asked, (request.headers.authorization ?? '').replace('Bearer ', ''));
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof out === 'string' ? out : out === undefined ? '' : JSON.stringify(out));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    ...{ base: `http://127.0.0.1:${port}`, password: CONTROLLER_PASSWORD, seen },
    get logins() {
      return logins;
    },
    forgetTokens: () => tokens.clear(),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function versionAnswer({ version = '3.0.6', version2 }: ControllerOptions, path: string): MadeUpAnswer | undefined {
  const known = path === '/v3/version' ? version : path === '/v2/version' ? version2 : undefined;
  if (known != null) return { status: 200, body: { version: known, local: false } };
  return path.endsWith('/version') ? { status: 404, body: { detail: 'Not Found' } } : undefined;
}

async function readJson(request: http.IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const text = Buffer.concat(pieces).toString();
  try {
    return JSON.parse(text);
  } catch {
    // Raw bodies are kept as text.
    return text;
  }
}
