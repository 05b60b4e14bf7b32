// Takes WebSocket upgrades of pages: checked before any work, bounded, and cut when the other side has gone silent.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { RawData, WebSocket } from 'ws';
import { PATHS } from '../../src-shared/protocol/index.ts';
import type { Access } from './access.ts';
import { parseTarget, refusalOf } from './origin.ts';
import type { Views } from './views.ts';
import type { Wire } from './wire.ts';

/** The largest request is a paste of 1.5 million characters (`terminal.input`). */
const MESSAGE_LIMIT_BYTES = 2 * 1024 * 1024;
/** How long a closing handshake may take. */
const CLOSE_MS = 2000;

/** What upgrades need. */
export interface SocketOptions {
  readonly access: Access;
  readonly views: Views;
  readonly allowedHosts: readonly string[];
  readonly refused: (request: IncomingMessage, why: string) => void;
  readonly pingMs: number;
}

/** The WebSocket side of the gateway. */
export interface Sockets {
  /** True when it was granted. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  close(): void;
}

/** Makes the WebSocket side. */
export function createSockets(options: SocketOptions): Sockets {
  const server = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_LIMIT_BYTES, perMessageDeflate: false });
  return {
    upgrade: (request, socket, head) => {
      // A reset before the handshake is no news; after it the WebSocket has its own listener.
      socket.on('error', () => socket.destroy());
      const refusal = refusalOf(request.headers, options.allowedHosts);
      if (refusal !== undefined) return refuse(options, { request, socket, status: '403 Forbidden', why: refusal });
      const url = parseTarget(request.url);
      if (url?.pathname !== PATHS.SOCKET)
        return refuse(options, { request, socket, status: '404 Not Found', why: 'path' });
      const grant = options.access.grantOf(request.headers.cookie, url.searchParams.get('session'));
      if (grant === undefined)
        return refuse(options, { request, socket, status: '401 Unauthorized', why: 'no access' });
      server.handleUpgrade(request, socket, head, (webSocket) => {
        const wire = socketWire(webSocket, options.pingMs);
        options.views.attach({ ...grant, kind: 'page' }, wire);
      });
      return true;
    },
    close: () => {
      for (const client of server.clients) closeInTime(client, 1001, 'Patchbay is closing');
      server.close();
    },
  };
}

function refuse(
  options: SocketOptions,
  refusal: {
    readonly request: IncomingMessage;
    readonly socket: Duplex;
    readonly status: string;
    readonly why: string;
  },
): false {
  options.refused(refusal.request, refusal.why);
  refusal.socket.end(`HTTP/1.1 ${refusal.status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  return false;
}

function socketWire(socket: WebSocket, pingMs: number): Wire {
  const wire: Wire = {
    sendText: (text) => socket.send(text, ignoreFault),
    sendFrame: (frame) => socket.send(frame, ignoreFault),
    get waitingBytes() {
      return socket.bufferedAmount;
    },
    close: ({ code, reason }) => closeInTime(socket, code, reason),
    cut: () => socket.terminate(),
    onMessage: () => {},
    onClose: () => {},
  };
  const stopPinging = cutWhenSilent(socket, pingMs);
  socket.on('message', (data, isBinary) => wire.onMessage(isBinary ? toBytes(data) : toBytes(data).toString('utf8')));
  socket.on('close', () => {
    stopPinging();
    wire.onClose();
  });
  // An oversized or malformed frame: ws closes the line itself, with the right code.
  socket.on('error', () => {});
  return wire;
}

function cutWhenSilent(socket: WebSocket, pingMs: number): () => void {
  let answered = true;
  socket.on('pong', () => (answered = true));
  socket.on('message', () => (answered = true));
  const timer = setInterval(() => {
    if (!answered) return socket.terminate();
    answered = false;
    socket.ping();
  }, pingMs);
  return () => clearInterval(timer);
}

function closeInTime(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason);
  const timer = setTimeout(() => socket.terminate(), CLOSE_MS);
  socket.once('close', () => clearTimeout(timer));
}

/** A send that fails is followed by `close`, where everything is released. */
function ignoreFault(): void {}

function toBytes(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
