// A simulator of servers that cannot be had: it speaks real SSH but refuses requests, asks odd questions, stays silent.
import type { AuthContext, Connection, KeyboardAuthContext, ServerChannel, Session } from 'ssh2';
import ssh2 from 'ssh2';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { once } from 'node:events';
import { makeKey } from './ssh-agent.ts';

export interface OddServerOptions {
  /** Refuse exec requests, and allow one channel at a time, like a small network device. */
  readonly noExec?: boolean;
  readonly noShell?: boolean;
  readonly noPty?: boolean;
  /** Decides about each login request; default: everybody may in. */
  readonly login?: (context: AuthContext, connection: Connection) => void;
  /** Called with each exec that is accepted. */
  readonly exec?: (channel: ServerChannel, command: string) => void;
}

export interface OddServer {
  readonly port: number;
  /** Most channels that were open at once. */
  readonly mostChannels: number;
  close(): Promise<void>;
}

/** Starts the simulator on loopback. */
export async function startOddServer(options: OddServerOptions): Promise<OddServer> {
  const hostKey = await newHostKey();
  const connections = new Set<Connection>();
  const count = { now: 0, most: 0 };
  const server = new ssh2.Server({ hostKeys: [hostKey] }, (connection) => {
    connections.add(connection);
    connection.on('error', () => undefined);
    connection.on('close', () => connections.delete(connection));
    connection.on('authentication', (context) =>
      options.login === undefined ? context.accept() : options.login(context, connection),
    );
    connection.on('session', (accept, reject) => {
      if (options.noExec === true && count.now > 0) {
        reject();
        return;
      }
      count.now += 1;
      count.most = Math.max(count.most, count.now);
      const session = accept();
      session.on('close', () => (count.now -= 1));
      serve(session, options);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address: unknown = server.address();
  if (typeof address !== 'object' || address === null || !('port' in address)) throw new Error('no TCP address');
  return {
    port: Number(address.port),
    get mostChannels() {
      return count.most;
    },
    async close() {
      for (const connection of connections) connection.end();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Made by ssh-keygen: ssh2's own generator now and then makes a key that it cannot read itself. */
async function newHostKey(): Promise<Buffer> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'patchbay-odd-'));
  const key = fs.readFileSync(await makeKey(path.join(folder, 'host')));
  fs.rmSync(folder, { recursive: true });
  return key;
}

function serve(session: Session, options: OddServerOptions): void {
  session.on('pty', (accept, reject) => (options.noPty === true ? reject() : accept()));
  session.on('shell', (accept, reject) => {
    if (options.noShell === true) reject();
    else accept().write('device>');
  });
  session.on('exec', (accept, reject, info) => {
    if (options.noExec === true) reject();
    else options.exec?.(accept(), info.command);
  });
}

/** Asks these prompts one after another and then decides by all answers; other methods are refused. */
export function asks(
  rounds: readonly (readonly { prompt: string; echo: boolean }[])[],
  right: (answers: readonly string[]) => boolean,
): (context: AuthContext) => void {
  return (context) => {
    if (context.method !== 'keyboard-interactive') {
      context.reject(['keyboard-interactive']);
      return;
    }
    askRound(context, rounds, [], right);
  };
}

function askRound(
  context: KeyboardAuthContext,
  rounds: readonly (readonly { prompt: string; echo: boolean }[])[],
  answers: readonly string[],
  right: (answers: readonly string[]) => boolean,
): void {
  const [next, ...rest] = rounds;
  if (next === undefined) {
    if (right(answers)) context.accept();
    else context.reject(['keyboard-interactive']);
    return;
  }
  context.prompt([...next], (given: readonly string[]) => askRound(context, rest, [...answers, ...given], right));
}
