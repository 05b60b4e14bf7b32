// Free ports and small servers that behave badly: silent, resetting, not speaking SSH, never accepting.
import net from 'node:net';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A port on loopback that nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = net.createServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return port;
}

/** A small server of the test. */
export interface SmallServer {
  readonly port: number;
  /** Connections made so far. */
  readonly connections: number;
  /** Connections that are open now. */
  readonly open: number;
  close(): Promise<void>;
}

/** Calls `serve` for each connection; errors of the connections are of no interest to the test. */
export async function startServer(
  serve: (socket: net.Socket) => void,
  options: net.ServerOpts = {},
): Promise<SmallServer> {
  const open = new Set<net.Socket>();
  let connections = 0;
  const server = net.createServer(options, (socket) => {
    connections += 1;
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
    serve(socket);
  });
  const port = await listen(server);
  return {
    port,
    get connections() {
      return connections;
    },
    get open() {
      return open.size;
    },
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Accepts and says nothing. */
export const startSilentServer = (): Promise<SmallServer> => startServer((socket) => void socket.resume());

/** Sends `bytes` to everybody and then listens on. */
export const startAnswering = (bytes: Uint8Array | string): Promise<SmallServer> =>
  startServer((socket) => {
    socket.resume();
    socket.write(bytes);
  });

/** Says `HTTP/1.1 400 Bad Request` when something came, as a web server does, and closes. */
export const startWebServer = (): Promise<SmallServer> =>
  startServer((socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\n\r\nbad request'));
  });

/** Sends an SSH line and resets the connection as soon as the client's own line came. */
export const startResetting = (): Promise<SmallServer> =>
  startServer((socket) => {
    socket.write('SSH-2.0-Reset_1\r\n');
    socket.once('data', () => socket.resetAndDestroy());
  });

/** Closes every connection at once. */
export const startClosing = (): Promise<SmallServer> => startServer((socket) => void socket.end());

/** A port on loopback where connects hang for ever: its queue is full and nobody accepts. Linux only. */
export async function startHangingPort(): Promise<SmallServer> {
  const script = `
    const server = require('node:net').createServer();
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      require('node:fs').writeSync(1, String(server.address().port) + '\\n');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(line.toString());
  const fillers: net.Socket[] = [];
  // The queue takes a connection more than its length; the first that does not get through shows that it is full.
  for (let full = false; !full;) {
    const filler = net.connect({ port, host: '127.0.0.1' });
    filler.on('error', () => undefined);
    fillers.push(filler);
    full = await Promise.race([
      once(filler, 'connect').then(() => false),
      new Promise<boolean>((resolve) => setTimeout(resolve, 300, true)),
    ]);
  }
  return {
    port,
    connections: 0,
    open: 0,
    async close() {
      for (const filler of fillers) filler.destroy();
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** A relay between client and server whose link can be disturbed. */
export interface Relay extends SmallServer {
  /** Swallows everything in both directions and keeps the connections open, like a forgotten NAT entry. */
  stall(): void;
  /** Forwards again; what was swallowed is gone. */
  resume(): void;
  /** Breaks every connection with a TCP reset. */
  reset(): void;
  /** Breaks each new connection at once. */
  refuse(): void;
  accept(): void;
  /** Breaks connections once the server has sent so many bytes. */
  resetAfter(bytes: number): void;
  /** Damages the next bytes that the server sends, and from then on does not notice when the client hangs up. */
  damage(): void;
}

/** How a relay treats the first bytes of the server. */
export interface RelayOptions {
  /** Text sent before them. */
  readonly before?: string;
  /** Size of the pieces in which they are sent, each in a packet of its own; default: as they came. */
  readonly pieces?: number;
  /** Hands on what the server sends only after so long a quiet, in one piece: answers that belong together travel so. */
  readonly gatherMs?: number;
  /** Changes them. */
  readonly change?: (first: Buffer) => Buffer;
}

interface RelayState {
  stalled: boolean;
  refusing: boolean;
  resetAfter: number;
  damaging: boolean;
  deaf: boolean;
}

/** Starts a relay to a port on loopback. */
export async function startRelay(targetPort: number, options: RelayOptions = {}): Promise<Relay> {
  const state: RelayState = { stalled: false, refusing: false, resetAfter: Infinity, damaging: false, deaf: false };
  const clients = new Set<net.Socket>();
  const serve = (client: net.Socket): void => {
    if (state.refusing) {
      client.resetAndDestroy();
      return;
    }
    clients.add(client);
    client.on('close', () => clients.delete(client));
    relayOne(client, targetPort, options, state);
  };
  const server = await startServer(serve, { allowHalfOpen: true });
  return Object.assign(server, {
    stall: () => void (state.stalled = true),
    resume: () => void (state.stalled = false),
    reset: () => clients.forEach((client) => client.resetAndDestroy()),
    refuse: () => void (state.refusing = true),
    accept: () => void (state.refusing = false),
    resetAfter: (bytes: number) => void (state.resetAfter = bytes),
    damage: () => void (state.damaging = state.deaf = true),
  });
}

function relayOne(client: net.Socket, targetPort: number, options: RelayOptions, state: RelayState): void {
  const target = net.connect({ port: targetPort, host: '127.0.0.1', noDelay: true });
  client.setNoDelay(true);
  const stop = (): void => {
    client.destroy();
    target.destroy();
  };
  target.on('error', stop).on('close', stop);
  client.on('close', stop);
  client.on('end', () => state.deaf || stop());
  client.on('data', (bytes) => state.stalled || target.write(bytes));
  let sent = 0;
  const forward = (bytes: Buffer): void => {
    if (state.stalled) return;
    sent += bytes.length;
    if (state.damaging) bytes.fill(0xa5);
    state.damaging = false;
    if (sent > state.resetAfter) client.resetAndDestroy();
    else client.write(bytes);
  };
  const onData = options.gatherMs === undefined ? forward : gather(options.gatherMs, forward);
  target.once('data', (first: Buffer) => {
    target.pause();
    void drip(client, prepared(first, options), options.pieces ?? Infinity).then(() => {
      target.on('data', onData);
      target.resume();
    });
  });
}

function gather(quietMs: number, forward: (bytes: Buffer) => void): (bytes: Buffer) => void {
  let held: Buffer[] = [];
  let timer: NodeJS.Timeout | undefined;
  return (bytes) => {
    held.push(bytes);
    clearTimeout(timer);
    timer = setTimeout(() => {
      forward(Buffer.concat(held));
      held = [];
    }, quietMs);
  };
}

function prepared(first: Buffer, { before = '', change }: RelayOptions): Buffer {
  return Buffer.concat([Buffer.from(before), change === undefined ? first : change(first)]);
}

/** Each piece waits until the one before has left, and a moment more so that it travels alone. */
async function drip(socket: net.Socket, bytes: Buffer, size: number): Promise<void> {
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, Math.min(at + size, bytes.length));
    await new Promise<void>((resolve) => socket.write(piece, () => resolve()));
    if (size < bytes.length) await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

async function listen(server: net.Server): Promise<number> {
  server.listen({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP address');
  return address.port;
}
