// The page's way to the gateway: a WebSocket on the page's own origin.
import { PATHS, SOCKET_CLOSE } from '../../src-shared/protocol/index.ts';
import type { Access, Door, Transport, TransportEnd, TransportEvents } from './transport.ts';

const ENDS: ReadonlyMap<number, TransportEnd> = new Map([
  [SOCKET_CLOSE.ACCESS_ENDED, 'access-ended'],
  [SOCKET_CLOSE.SESSION_CLOSED, 'session-closed'],
  [SOCKET_CLOSE.TOO_MANY_VIEWS, 'too-many-views'],
]);

function withSession(path: string, session: string | null): URL {
  const url = new URL(path, location.origin);
  if (session !== null) url.searchParams.set('session', session);
  return url;
}

function openSocket(url: URL, events: TransportEvents): Transport {
  const socket = new WebSocket(url);
  let closed = false;
  socket.binaryType = 'arraybuffer';
  socket.onopen = () => {
    if (!closed) events.onOpen();
  };
  socket.onmessage = (message: MessageEvent<unknown>) => {
    if (closed) return;
    if (typeof message.data === 'string') events.onText(message.data);
    else if (message.data instanceof ArrayBuffer) events.onBytes(new Uint8Array(message.data));
  };
  socket.onclose = (end) => {
    if (!closed) events.onEnd(ENDS.get(end.code) ?? 'lost');
    closed = true;
  };
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: () => {
      closed = true;
      socket.close();
    },
  };
}

/** The door of a browser page; `session` is the one that the address names. */
export function socketDoor(session: string | null): Door {
  return {
    open: (events) => {
      const url = withSession(PATHS.SOCKET, session);
      url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
      return openSocket(url, events);
    },
    access: async (): Promise<Access> => {
      try {
        const answer = await fetch(withSession(PATHS.ACCESS, session), { signal: AbortSignal.timeout(5000) });
        return answer.status === 401 ? 'needed' : 'granted';
      } catch {
        // Nobody answers: the app is not running, or the network is away.
        return 'unreachable';
      }
    },
  };
}
