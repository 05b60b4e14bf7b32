// A connection to the desktop's session bus, for single questions. Electron itself has no way to ask.
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { encodeCall, takeMessage } from './dbus-messages.ts';
import type { MethodCall, Reply } from './dbus-messages.ts';

/** The bus is on this computer: what takes longer is no bus that works. */
const PATIENCE_MS = 1500;

const BUS = {
  destination: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
} as const;

/** Asks one question on the session bus. Rejects where there is no bus, or no answer in time. */
export async function askSessionBus(call: Omit<MethodCall, 'serial'>, environment: NodeJS.ProcessEnv): Promise<Reply> {
  const address = busSocket(environment);
  if (address === undefined) throw new Error('no session bus is known');
  const socket = net.connect(address);
  // Every wait below rejects by itself; between two waits nobody else would take the error.
  socket.on('error', () => {});
  const signal = AbortSignal.timeout(PATIENCE_MS);
  signal.addEventListener('abort', () => socket.destroy(new Error('the session bus does not answer')));
  try {
    await once(socket, 'connect', { signal });
    await authenticate(socket, signal);
    const hello = encodeCall({ ...BUS, member: 'Hello', args: [], serial: 1 });
    socket.write(Buffer.concat([hello, encodeCall({ ...call, serial: 2 })]));
    return await replyTo(socket, 2);
  } finally {
    socket.destroy();
  }
}

/** The socket of the bus: a path, or Linux's abstract name. */
function busSocket(environment: NodeJS.ProcessEnv): string | undefined {
  const address = environment['DBUS_SESSION_BUS_ADDRESS'];
  if (address === undefined || address === '') {
    const runtime = environment['XDG_RUNTIME_DIR'];
    return runtime === undefined ? undefined : path.join(runtime, 'bus');
  }
  for (const one of address.split(';')) {
    const [, kind, name] = /^unix:(?:[^,]*,)*?(path|abstract)=([^,]+)/.exec(one) ?? [];
    if (name !== undefined) return `${kind === 'abstract' ? '\0' : ''}${decodeURIComponent(name)}`;
  }
  return undefined;
}

async function authenticate(socket: net.Socket, signal: AbortSignal): Promise<void> {
  const uid = Buffer.from(String(process.getuid?.() ?? 0)).toString('hex');
  socket.write(`\0AUTH EXTERNAL ${uid}\r\n`);
  const [answer] = (await once(socket, 'data', { signal })) as [Buffer];
  if (!answer.toString('latin1').startsWith('OK ')) throw new Error('the session bus refuses this account');
  socket.write('BEGIN\r\n');
}

function replyTo(socket: net.Socket, serial: number): Promise<Reply> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the session bus has closed the line')));
    socket.on('data', (piece: Buffer) => {
      bytes = Buffer.concat([bytes, piece]);
      for (let taken = takeMessage(bytes); taken !== undefined; taken = takeMessage(bytes)) {
        bytes = Buffer.from(taken.rest);
        if (taken.reply?.serial === serial) resolve(taken.reply);
      }
    });
  });
}
