// Listens for MCP clients on a loopback TCP port: one line with the token, then one JSON-RPC message a line.
import net from 'node:net';
import type { Server, Socket } from 'node:net';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Strangers } from '../core/strangers.ts';
import { arrive } from './client-presence.ts';
import { LineTransport } from './line-transport.ts';
import { openConnection } from './opening-line.ts';
import { createServer } from './server.ts';
import type { ServerParts } from './server.ts';

/** Connections at once; more are closed at the door. */
const MAX_CONNECTIONS = 1024;
/** Of them, those that have not shown the token yet; the oldest makes way, so silent ones shut out nobody. */
const MAX_STRANGERS = 128;
/** Milliseconds of silence after which the system asks whether the other end still lives. */
const KEEPALIVE_MS = 30_000;

/** What the listener needs. */
export interface TcpListenerOptions extends ServerParts {
  /** The token that counts now. */
  readonly token: () => string;
  /** 0 = any free port. */
  readonly port: number;
  /** Milliseconds within which the opening line has to be there; tests shorten it. */
  readonly openingMs?: number;
}

/** A listener that runs. */
export interface TcpListener {
  readonly port: number;
  /** Stops listening and closes every connection. */
  close(): Promise<void>;
}

/** Rejects with the system's error when the port cannot be had. */
export async function startTcpListener(options: TcpListenerOptions): Promise<TcpListener> {
  const sockets = new Set<Socket>();
  const strangers = new Strangers(MAX_STRANGERS);
  // Half open: what was sent before the end of a stream is still answered.
  const how = { keepAlive: true, keepAliveInitialDelay: KEEPALIVE_MS, noDelay: true, allowHalfOpen: true };
  const server = net.createServer(how, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // Every later stage has its own listener; this one only keeps a reset from ending the program.
    socket.on('error', (error) => options.log.debug('MCP connection failed', { error }));
    if (strangers.arrive(socket)) options.log.warn('MCP connection dropped: too many without a token', {});
    void serve(socket, options, strangers);
  });
  server.maxConnections = MAX_CONNECTIONS;
  await listen(server, options.port);
  server.on('error', (error) => options.log.error('MCP listener failed', { error }));
  return {
    port: portOf(server),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function serve(socket: Socket, options: TcpListenerOptions, strangers: Strangers): Promise<void> {
  const opened = await openConnection(socket, options);
  strangers.settle(socket);
  if (opened === undefined) return;
  const presence = arrive(options.core, opened.bridge ? 'stdio' : 'tcp');
  socket.once('close', () => presence.leave());
  serveStdio(() => createServer(options, presence), {
    transport: new LineTransport(socket, opened.rest, options.log),
    onerror: (error) => options.log.debug('MCP connection reported a fault', { client: presence.label, error }),
  });
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server without a port');
  return address.port;
}
