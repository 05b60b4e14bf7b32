// A client-side MCP transport over a TCP socket, for clients of both SDKs: opening line, then one message a line.
import net from 'node:net';
import { once } from 'node:events';
import { asRecord } from './record.ts';

/** A message as it travels. */
type Message = Record<string, unknown>;

/** Fits the Transport interface of both SDKs. */
export class SocketTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: never) => void;
  /** Everything that came, in order. */
  readonly received: Message[] = [];
  readonly #socket: net.Socket;
  readonly #opening: string;
  #rest = '';

  constructor(port: number, opening: string) {
    this.#opening = opening;
    this.#socket = net.connect({ host: '127.0.0.1', port });
    this.#socket.setEncoding('utf8');
  }

  async start(): Promise<void> {
    await once(this.#socket, 'connect');
    this.#socket.on('data', (text: string) => this.#take(text));
    this.#socket.on('error', (error) => this.onerror?.(error));
    this.#socket.on('close', () => this.onclose?.());
    this.#socket.write(`${this.#opening}\n`);
  }

  send(message: object): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  close(): Promise<void> {
    this.#socket.destroy();
    return Promise.resolve();
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const message: unknown = JSON.parse(line);
      this.received.push(asRecord(message));
      // Both SDKs take any parsed message here.
      this.onmessage?.(message as never);
    }
  }
}
