// The app's TCP port without any library, and a stranger who listens on a port that was the app's.
import net from 'node:net';
import { once } from 'node:events';
import { waitFor } from './processes.ts';

/** A connection on which the token was accepted. */
export interface DirectLine {
  request(method: string, params: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>;
  end(): void;
}

/** Connects and sends the token. */
export async function connectDirectly(port: number, token: string): Promise<DirectLine> {
  const socket = net.connect({ host: '127.0.0.1', port });
  await once(socket, 'connect');
  let text = '';
  let nextId = 1;
  socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  socket.write(`AUTH ${token}\n`);
  const answerTo = (id: number): Record<string, unknown> | undefined =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .find((message) => message['id'] === id);
  return {
    async request(method, params) {
      const id = nextId++;
      socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      await waitFor(`the answer to ${method}`, () => answerTo(id) !== undefined);
      return answerTo(id) ?? {};
    },
    end: () => void socket.destroy(),
  };
}

/** A program that is not ours and notes what it is sent. */
export async function startStranger(port: number): Promise<{ heard(): string; close(): Promise<void> }> {
  let text = '';
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  });
  server.listen({ host: '127.0.0.1', port });
  await once(server, 'listening');
  return {
    heard: () => text,
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}
