// One connection of the bridge to the running app: the token line, then one JSON-RPC message a line.
import net from 'node:net';
import { PATCHBAY_VERSION } from '../../src-shared/mcp-identity.ts';
import type { RunFile } from '../core/config/run-file.ts';
import { LineCutter } from './lines.ts';
import type { LineTarget } from './lines.ts';

/** A connection on loopback either comes at once or not at all. */
const CONNECT_MS = 3_000;

/** What the link tells. */
export interface LinkEvents extends LineTarget {
  /** The connection is gone; once, and not after {@link AppLink.close}. */
  lost(): void;
  /** The app takes more again. */
  drain(): void;
}

/** An open connection. */
export interface AppLink {
  readonly app: RunFile;
  /** False: the app is behind, wait for `drain` before sending much more. */
  send(line: Buffer | string): boolean;
  /** Stops and starts reading, while the client is behind. */
  pause(): void;
  resume(): void;
  close(): void;
}

/** Connects to the app of the run file; undefined when nobody listens there any more. */
export async function openLink(app: RunFile, events: LinkEvents): Promise<AppLink | undefined> {
  const socket = await connect(app.mcpPort);
  if (socket === undefined) return undefined;
  const cutter = new LineCutter(events);
  let closed = false;
  const end = (): void => {
    if (closed) return;
    closed = true;
    events.lost();
  };
  socket.on('data', (bytes) => cutter.push(bytes));
  socket.on('drain', () => events.drain());
  socket.on('error', () => socket.destroy());
  socket.on('close', end);
  socket.write(`AUTH ${app.tokens.mcp} bridge ${PATCHBAY_VERSION}\n`);
  return {
    app,
    send: (line) => {
      socket.cork();
      socket.write(line);
      const more = socket.write('\n');
      socket.uncork();
      return more;
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    close: () => {
      closed = true;
      socket.end();
    },
  };
}

function connect(port: number): Promise<net.Socket | undefined> {
  return new Promise((resolve) => {
    const socket = net.connect({ host: '127.0.0.1', port, noDelay: true });
    const fail = (): void => {
      socket.destroy();
      resolve(undefined);
    };
    socket.setTimeout(CONNECT_MS, fail);
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.setTimeout(0);
      socket.off('error', fail);
      resolve(socket);
    });
  });
}
