// A TCP connection that a test drives line by line, to send what no client would.
import net from 'node:net';
import { once } from 'node:events';
import { waitFor } from './processes.ts';
import { asRecord } from './record.ts';

/** The connection. */
export class RawSocket {
  readonly lines: string[] = [];
  closed = false;
  #rest = '';

  private constructor(readonly socket: net.Socket) {
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n');
      this.#rest = lines.pop() ?? '';
      this.lines.push(...lines);
    });
    // A reset is an end like any other here.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.closed = true;
    });
  }

  static async open(port: number): Promise<RawSocket> {
    const socket = net.connect({ host: '127.0.0.1', port });
    await once(socket, 'connect');
    return new RawSocket(socket);
  }

  /** Writes and waits until the system took it. */
  write(text: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => this.socket.write(text, () => resolve()));
  }

  /** The line with this number, from 0, parsed. */
  async message(number: number): Promise<Record<string, unknown>> {
    await waitFor(`line ${number}`, () => this.lines.length > number || this.closed);
    const message: unknown = JSON.parse(this.lines[number] ?? 'null');
    return asRecord(message);
  }

  async end(): Promise<void> {
    await waitFor('the other end to hang up', () => this.closed);
  }
}
