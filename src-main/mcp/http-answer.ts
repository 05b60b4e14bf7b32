// Answers of the HTTP endpoint that come before MCP proper: refusals as JSON-RPC errors.
import type { ServerResponse } from 'node:http';

/** A refusal. */
export interface HttpRefusal {
  readonly status: number;
  /** JSON-RPC code; the protocol leaves -32000 to -32099 to servers. */
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a refusal; there is no request id yet that it could name. */
export function refuseHttp(response: ServerResponse, { status, code, message, headers }: HttpRefusal): void {
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } });
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers });
  response.end(body);
}

export const NOT_HERE: HttpRefusal = { status: 404, code: -32_000, message: 'Not found: MCP is served at /mcp' };

export const NO_TOKEN: HttpRefusal = {
  status: 401,
  code: -32_000,
  message: 'Unauthorized: send "Authorization: Bearer <token>" with the token that Patchbay shows under Assistants',
  headers: { 'www-authenticate': 'Bearer realm="patchbay"' },
};

export const WRONG_TOKEN: HttpRefusal = {
  ...NO_TOKEN,
  message: 'Unauthorized: this token does not count (any more); Patchbay shows the current one under Assistants',
  headers: { 'www-authenticate': 'Bearer realm="patchbay", error="invalid_token"' },
};

export const NOT_JSON_TYPE: HttpRefusal = {
  status: 415,
  code: -32_000,
  message: 'Unsupported media type: Content-Type must be application/json',
};

export const WRONG_METHOD: HttpRefusal = {
  status: 405,
  code: -32_000,
  message: 'Method not allowed: use POST, GET or DELETE',
  headers: { allow: 'POST, GET, DELETE' },
};

export const NOT_JSON: HttpRefusal = { status: 400, code: -32_700, message: 'Parse error: the body is not JSON' };

/** For a body that is JSON of a shape that nobody sends. */
export const wrongShape = (fault: string): HttpRefusal => ({
  status: 400,
  code: -32_600,
  message: `Invalid request: the body ${fault}`,
});

export const NO_SESSION_ID: HttpRefusal = {
  status: 400,
  code: -32_000,
  message: 'Bad request: begin with initialize, then send the Mcp-Session-Id that it answers',
};

export const UNKNOWN_SESSION: HttpRefusal = {
  status: 404,
  code: -32_001,
  message: 'Session not found: it has ended; begin again with initialize',
};

export const TOO_MANY_SESSIONS: HttpRefusal = {
  status: 503,
  code: -32_000,
  message: 'Too many MCP sessions are open: end one with DELETE, or try again later',
  headers: { 'retry-after': '60' },
};

/** For a body over the limit. */
export const tooLong = (bytes: number, limit: number): HttpRefusal => ({
  status: 413,
  code: -32_000,
  message: `Payload too large: the body has ${bytes} bytes or more, at most ${limit} are allowed`,
  headers: { connection: 'close' },
});
