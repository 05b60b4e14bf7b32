// MCP servers on the SDK that are none of ours: Streamable HTTP of both eras, and HTTP with SSE.
import http from 'node:http';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server';
import { McpServer as ServerOne } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import * as z from 'zod';

/** The token that every request has to carry. */
export const REMOTE_TOKEN = 'remote-token-of-the-test';

/** A server of the test. */
export interface RemoteServer {
  readonly url: string;
  /** Method, path and status of each request so far. */
  readonly seen: readonly string[];
  /** Forgets every session, as a restart does. */
  forget(): void;
  close(): Promise<void>;
}

type Handle = (request: http.IncomingMessage, response: http.ServerResponse) => Promise<void>;

/** 2025 era, with sessions, answers as event streams, and a stream of its own. */
export async function startStreamable(): Promise<RemoteServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  return serve(
    '/mcp',
    async (request, response) => {
      const id = String(request.headers['mcp-session-id'] ?? '');
      const known = sessions.get(id);
      if (known !== undefined) return known.handleRequest(request, response);
      if (id !== '') return void response.writeHead(404).end();
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (session) => void sessions.set(session, transport),
      });
      // Their own type says `sessionId?: string`, which exactOptionalPropertyTypes tells from what the class has.
      await oldServer().connect(transport as unknown as Transport);
      await transport.handleRequest(request, response);
    },
    () => sessions.clear(),
  );
}

/** 2026 era only, without sessions. */
export async function startStateless(): Promise<RemoteServer> {
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: 'remote', version: '1.0.0' });
      server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
        content: [{ type: 'text', text }],
      }));
      return server;
    },
    { legacy: 'reject' },
  );
  // Their own type for requests has `method?: string`, which exactOptionalPropertyTypes tells from Node's.
  const handle = toNodeHandler(handler) as unknown as Handle;
  return serve('/mcp', handle, () => undefined);
}

/** 2024 era: one event stream, messages by POST. */
export async function startSse(): Promise<RemoteServer> {
  const transports = new Map<string, SSEServerTransport>();
  return serve(
    '/sse',
    async (request, response) => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      if (request.method === 'GET' && url.pathname === '/sse') {
        const transport = new SSEServerTransport('/messages', response);
        transports.set(transport.sessionId, transport);
        return oldServer().connect(transport);
      }
      const transport = transports.get(url.searchParams.get('sessionId') ?? '');
      if (request.method !== 'POST' || url.pathname !== '/messages' || transport === undefined) {
        return void response.writeHead(url.pathname === '/sse' ? 405 : 404).end();
      }
      return transport.handlePostMessage(request, response);
    },
    () => {
      for (const transport of transports.values()) void transport.close();
      transports.clear();
    },
  );
}

function oldServer(): ServerOne {
  const server = new ServerOne({ name: 'remote', version: '1.0.0' });
  server.registerTool('echo', { inputSchema: { text: z.string() } }, ({ text }) => ({
    content: [{ type: 'text', text }],
  }));
  // Registering a tool on a live connection is what makes the server speak of its own accord.
  server.registerTool('grow', {}, () => {
    server.registerTool(`tool-${randomUUID().slice(0, 8)}`, {}, () => ({ content: [] }));
    return { content: [{ type: 'text', text: 'grown' }] };
  });
  return server;
}

async function serve(path: string, handle: Handle, forget: () => void): Promise<RemoteServer> {
  const seen: string[] = [];
  const server = http.createServer((request, response) => {
    response.on('close', () => seen.push(`${request.method} ${request.url?.split('?')[0]} ${response.statusCode}`));
    if (request.headers.authorization !== `Bearer ${REMOTE_TOKEN}`) return void response.writeHead(401).end();
    handle(request, response).catch(() => response.destroy());
  });
  server.listen({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP address');
  return {
    url: `http://127.0.0.1:${address.port}${path}`,
    seen,
    forget,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
