// Checks the HTTP door: token, form and size of requests, sessions and their end, clients without sessions.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_LINE_BYTES } from '../../src-shared/mcp-identity.ts';
import { connectClient } from '../support/mcp-clients.ts';
import { clientNames, createCoreDouble } from '../support/mcp-core-double.ts';
import type { CoreDouble } from '../support/mcp-core-double.ts';
import { startMcp } from '../support/mcp-server.ts';
import type { McpTestServer } from '../support/mcp-server.ts';
import { waitFor } from '../support/processes.ts';

let double: CoreDouble;
let server: McpTestServer;

const LIMITS = { maxSessions: 2, idleMs: 3_600_000, awayMs: 600_000 };

beforeEach(async () => {
  double = createCoreDouble();
  server = await startMcp(double.core, { limits: LIMITS });
});
afterEach(async () => {
  vi.useRealTimers();
  await server.close();
});

const ACCEPT = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const bearer = (): Record<string, string> => ({ authorization: `Bearer ${server.token}`, ...ACCEPT });

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

interface Ask {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly path?: string;
}

async function ask({ method = 'POST', headers = bearer(), body = INITIALIZE, path = '' }: Ask): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(`${server.http.url}${path}`, { method, headers, ...(method === 'POST' ? { body: text } : {}) });
}

async function openSession(): Promise<string> {
  const response = await ask({});
  expect(response.status).toBe(200);
  await response.text();
  return response.headers.get('mcp-session-id') ?? '';
}

const pingIn = (session: string): Promise<Response> =>
  ask({ headers: { ...bearer(), 'mcp-session-id': session }, body: { jsonrpc: '2.0', id: 5, method: 'ping' } });

describe('a request', () => {
  it.each([
    { name: 'without a token', headers: { ...ACCEPT } },
    { name: 'with a wrong token', headers: { ...ACCEPT, authorization: 'Bearer WRONGGUESS' } },
    { name: 'with another scheme', headers: { ...ACCEPT, authorization: 'Basic WRONGGUESS' } },
  ])('$name is answered 401 and says how to log in', async ({ headers }) => {
    for (const method of ['POST', 'GET', 'DELETE']) {
      const response = await ask({ method, headers });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
      expect(await response.json()).toMatchObject({
        jsonrpc: '2.0',
        error: { message: expect.stringMatching(/^Unauthorized: /) as unknown },
      });
    }
    expect(JSON.stringify(double.log)).not.toContain('WRONGGUESS');
    expect(double.core.clients.list()).toEqual([]);
  });

  it.each(['/.well-known/oauth-protected-resource', '/other'])('below /mcp, as for %s, is not found', async (path) => {
    const response = await ask({ method: 'GET', path });
    expect(response.status).toBe(404);
  });

  it('FC45 with another content type is refused, so a form of a web page does nothing', async () => {
    const response = await ask({ headers: { ...bearer(), 'content-type': 'text/plain' } });
    expect(response.status).toBe(415);
    expect(double.core.clients.list()).toEqual([]);
  });

  it('that is not JSON is answered as a parse error and logged by size and hash', async () => {
    const response = await ask({ body: '{"password":"HIDDENWORD' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: null, error: { code: -32_700 } });
    const [line] = double.log.filter(({ message }) => message === 'MCP body is not JSON');
    expect(line?.details).toEqual({ bytes: 23, sha256: expect.stringMatching(/^[0-9a-f]{16}$/) as unknown });
    expect(JSON.stringify(double.log)).not.toContain('HIDDENWORD');
  });

  it('over the limit is answered 413 and others go on', async () => {
    const response = await ask({ body: `"${'a'.repeat(MAX_LINE_BYTES)}"` });
    expect(response.status).toBe(413);
    expect(await openSession()).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('with another method is answered 405', async () => {
    const response = await ask({ method: 'PUT', headers: bearer() });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST, GET, DELETE');
  });
});

describe('a session', () => {
  it('is needed for everything but initialize', async () => {
    const response = await ask({ body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
    expect(response.status).toBe(400);
    expect((await ask({ method: 'GET' })).status).toBe(400);
  });

  it('is found by its id, ended by DELETE, and unknown then', async () => {
    const session = await openSession();
    expect((await pingIn(session)).status).toBe(200);
    const ended = await ask({ method: 'DELETE', headers: { ...bearer(), 'mcp-session-id': session } });
    expect(ended.status).toBe(200);
    expect((await pingIn(session)).status).toBe(404);
    expect(double.core.clients.list()).toEqual([]);
  });

  it('that never was is answered 404', async () => {
    expect((await pingIn('00000000-0000-4000-8000-000000000000')).status).toBe(404);
  });

  it('gives way to a new one when there are too many, the longest unused first', async () => {
    const first = await openSession();
    const second = await openSession();
    expect((await pingIn(first)).status).toBe(200);
    const third = await openSession();
    expect((await pingIn(second)).status).toBe(404);
    expect((await pingIn(first)).status).toBe(200);
    expect((await pingIn(third)).status).toBe(200);
  });

  it('is refused when all are in use', async () => {
    const streams = await Promise.all(
      [await openSession(), await openSession()].map((session) =>
        ask({ method: 'GET', headers: { ...bearer(), 'mcp-session-id': session } }),
      ),
    );
    const response = await ask({});
    expect(response.status).toBe(503);
    for (const stream of streams) await stream.body?.cancel();
  });

  it('takes its client off the list when it is silent, and brings it back when it speaks', async () => {
    await server.close();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    server = await startMcp(double.core, { limits: LIMITS });
    const session = await openSession();
    expect(clientNames(double.core)).toEqual(['raw']);
    await vi.advanceTimersByTimeAsync(LIMITS.awayMs + 60_000);
    expect(clientNames(double.core)).toEqual([]);
    expect((await pingIn(session)).status).toBe(200);
    expect(clientNames(double.core)).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(LIMITS.idleMs + 60_000);
    expect((await pingIn(session)).status).toBe(404);
  });
});

describe('a client without sessions', () => {
  it('is listed by the name that it gives with each call, once, and goes when it is silent', async () => {
    await server.close();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    server = await startMcp(double.core, { limits: LIMITS });
    const client = await connectClient({
      kind: 'stateless',
      way: server.http,
      token: server.token,
      name: 'stateless-1',
    });
    await client.call('ssh_list_sessions');
    await client.call('ssh_list_sessions');
    expect(clientNames(double.core)).toEqual(['stateless-1']);
    expect(double.core.clients.list()).toMatchObject([{ transport: 'http', version: '1.2.3' }]);
    await vi.advanceTimersByTimeAsync(LIMITS.awayMs + 60_000);
    expect(clientNames(double.core)).toEqual([]);
    await client.close();
  });

  it('is the actor of what it runs', async () => {
    double.open('web-1');
    const client = await connectClient({
      kind: 'stateless',
      way: server.http,
      token: server.token,
      name: 'stateless-2',
    });
    await client.call('ssh_exec', { sessionName: 'web-1', command: 'true', waitSeconds: 0 });
    expect(double.session('web-1').ran[0]?.view().actor).toMatchObject({ kind: 'client', name: 'stateless-2' });
    await client.close();
  });
});

describe('the end of the mount', () => {
  it('closes streams that are open', async () => {
    const session = await openSession();
    const stream = await ask({ method: 'GET', headers: { ...bearer(), 'mcp-session-id': session } });
    const read = stream.text().catch(() => 'cut');
    await server.close();
    await expect(read).resolves.toBeTypeOf('string');
    await waitFor('the client to be off the list', () => double.core.clients.list().length === 0);
    server = await startMcp(double.core);
  });
});
