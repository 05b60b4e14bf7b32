// HTTP with SSE (MCP 2024-11-05): one event stream brings everything, messages are posted to the address it names.
import { headerOf, readBody, send } from './http.ts';
import type { RequestId } from '../message.ts';
import { readMessage } from '../message.ts';
import { faultAnswer, oneLine, reasonOf } from './remote.ts';
import type { ClientLine, Remote, RemotePorts } from './remote.ts';
import { readEvents } from './sse.ts';

const REPLAY_ID = 'patchbay-bridge/initialize';

/** A server behind the address of its event stream. */
export class LegacyRemote implements Remote {
  readonly #ports: RemotePorts;
  readonly #open = new Set<RequestId>();
  #stream: AbortController | undefined;
  #address: Promise<URL> | undefined;
  #initialize: ClientLine | undefined;

  constructor(ports: RemotePorts) {
    this.#ports = ports;
  }

  get pending(): number {
    return this.#open.size;
  }

  async send(line: ClientLine): Promise<void> {
    const { message } = line;
    if (message.kind === 'request') this.#open.add(message.id);
    const isNew = this.#address === undefined;
    try {
      const address = await (this.#address ??= this.#connect());
      if (isNew && this.#initialize !== undefined) await this.#replay(address, this.#initialize.line);
      if (message.kind === 'request' && message.method === 'initialize') this.#initialize = line;
      await this.#post(address, line.line);
    } catch (error) {
      this.#address = undefined;
      if (message.kind === 'request') this.#fail(message.id, reasonOf(error));
      else this.#ports.say(`a message was not delivered: ${reasonOf(error)}`);
    }
  }

  async close(): Promise<void> {
    this.#stream?.abort();
  }

  /** Opens the stream; resolves with the address for messages, which must be on the same server. */
  async #connect(): Promise<URL> {
    const stream = new AbortController();
    this.#stream = stream;
    const headers = { accept: 'text/event-stream', ...this.#ports.headers };
    const response = await send({ method: 'GET', url: this.#ports.url, headers, signal: stream.signal });
    if (response.statusCode !== 200 || !headerOf(response, 'content-type').startsWith('text/event-stream')) {
      response.resume();
      throw new Error(`the server answered ${response.statusCode ?? 0} ${response.statusMessage ?? ''}`.trim());
    }
    const events = readEvents(response);
    for (;;) {
      const next = await events.next();
      if (next.done === true) throw new Error('the server closed its stream');
      if (next.value.event !== 'endpoint') continue;
      const address = new URL(next.value.data, this.#ports.url);
      if (address.origin !== this.#ports.url.origin) throw new Error('the server names an address on another server');
      void this.#read(events);
      return address;
    }
  }

  async #read(events: ReturnType<typeof readEvents>): Promise<void> {
    let reason = 'the server closed its stream';
    try {
      for await (const { data } of events) this.#message(data);
    } catch (error) {
      reason = reasonOf(error);
    }
    this.#address = undefined;
    for (const id of this.#open) this.#fail(id, reason);
  }

  #message(data: string): void {
    const line = oneLine(data);
    const message = line === undefined ? undefined : readMessage(Buffer.from(line));
    if (line === undefined || message === undefined || message.kind === 'invalid') return;
    if (message.kind === 'answer' && message.id === REPLAY_ID) return;
    if (message.kind === 'answer') this.#open.delete(message.id);
    this.#ports.toClient(line);
    if (message.kind === 'answer') this.#tellIdle();
  }

  /** After a lost stream the server knows nothing of us any more. */
  async #replay(address: URL, initialize: Buffer): Promise<void> {
    const value: unknown = JSON.parse(initialize.toString('utf8'));
    await this.#post(address, JSON.stringify({ ...Object(value), id: REPLAY_ID }));
    await this.#post(address, JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  }

  async #post(url: URL, body: Buffer | string): Promise<void> {
    const headers = { 'content-type': 'application/json', ...this.#ports.headers };
    const response = await send({ method: 'POST', url, headers, body });
    await readBody(response);
    const status = response.statusCode ?? 0;
    if (status >= 300) throw new Error(`the server answered ${status} ${response.statusMessage ?? ''}`.trim());
  }

  #fail(id: RequestId, reason: string): void {
    if (!this.#open.delete(id)) return;
    this.#ports.toClient(faultAnswer(id, `The server at ${this.#ports.url.host} failed: ${reason}`));
    this.#tellIdle();
  }

  #tellIdle(): void {
    if (this.pending === 0) this.#ports.onIdle();
  }
}
