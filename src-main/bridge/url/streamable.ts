// Streamable HTTP (MCP 2025-03-26 and later): each message is a POST, answers come as JSON or as an event stream.
import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { revisionOf } from '../answers.ts';
import { isFields, readMessage } from '../message.ts';
import type { Fields, RequestId } from '../message.ts';
import { headerOf, readBody, send } from './http.ts';
import type { Headers } from './http.ts';
import { faultAnswer, oneLine, reasonOf } from './remote.ts';
import type { ClientLine, Remote, RemotePorts } from './remote.ts';
import { readEvents } from './sse.ts';

/** Pauses between attempts to get the server's own stream back. */
const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 30_000;

/** The server does not speak this transport; the older one may work. */
export class NotStreamable extends Error {}

/** A server behind one address. */
export class StreamableRemote implements Remote {
  readonly #ports: RemotePorts;
  readonly #ended = new AbortController();
  readonly #open = new Map<RequestId, AbortController>();
  #session = '';
  #revision = '';
  #initialize: ClientLine | undefined;
  #listening = false;

  constructor(ports: RemotePorts) {
    this.#ports = ports;
  }

  get pending(): number {
    return this.#open.size;
  }

  /** Sends the first message; rejects with NotStreamable when the server wants the older transport. */
  async opening(line: ClientLine): Promise<void> {
    if (isInitialize(line)) this.#initialize = line;
    await this.#post(line, true);
  }

  async send(line: ClientLine): Promise<void> {
    const { message } = line;
    if (isInitialize(line)) this.#initialize = line;
    if (message.kind === 'notification' && message.method === 'notifications/cancelled') {
      // Without a handshake, closing the answer's stream is what cancels.
      if (this.#initialize === undefined && this.#abort(message.params['requestId'])) return;
    }
    await this.#post(line, false);
    if (message.kind === 'notification' && message.method === 'notifications/initialized') void this.#listen();
  }

  async close(): Promise<void> {
    this.#ended.abort();
    if (this.#session === '') return;
    try {
      const response = await send({ method: 'DELETE', url: this.#ports.url, headers: this.#headers({}) });
      response.resume();
    } catch {
      // The server is gone, and its session with it.
    }
  }

  async #post(line: ClientLine, isOpening: boolean): Promise<void> {
    const { message } = line;
    const abort = new AbortController();
    if (message.kind === 'request') this.#open.set(message.id, abort);
    try {
      const response = await this.#exchange(line, abort.signal);
      await this.#take(response, isOpening);
      this.#fault(line, 'the server sent no answer');
    } catch (error) {
      if (error instanceof NotStreamable) {
        if (message.kind === 'request') this.#open.delete(message.id);
        throw error;
      }
      if (!abort.signal.aborted) this.#fault(line, reasonOf(error));
    }
  }

  /** A session that the server has forgotten is opened again with the client's own words, once. */
  async #exchange(line: ClientLine, signal: AbortSignal): Promise<IncomingMessage> {
    const response = await this.#request(line, signal);
    if (response.statusCode !== 404 || this.#session === '' || this.#initialize === undefined) return response;
    response.resume();
    this.#session = '';
    const opened = await this.#request(this.#initialize, signal);
    this.#session = headerOf(opened, 'mcp-session-id');
    await readBody(opened);
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const headers = this.#headers({ 'content-type': 'application/json', accept: ACCEPT });
    (await send({ method: 'POST', url: this.#ports.url, headers, body, signal })).resume();
    return this.#request(line, signal);
  }

  #request({ line, message }: ClientLine, signal: AbortSignal): Promise<IncomingMessage> {
    const about = message.kind === 'answer' ? {} : standardHeaders(message.method, message.params);
    const headers = this.#headers({ 'content-type': 'application/json', accept: ACCEPT, ...about });
    return send({ method: 'POST', url: this.#ports.url, headers, body: line, signal });
  }

  async #take(response: IncomingMessage, isOpening: boolean): Promise<void> {
    const session = headerOf(response, 'mcp-session-id');
    if (session !== '') this.#session = session;
    const type = headerOf(response, 'content-type');
    if (type.startsWith('text/event-stream')) {
      for await (const { data } of readEvents(response)) this.#message(data);
      return;
    }
    const body = await readBody(response);
    if (body.trim() !== '' && this.#message(body)) return;
    const status = response.statusCode ?? 0;
    // A server of this transport would have said why in a message.
    if (isOpening && [400, 404, 405].includes(status)) throw new NotStreamable();
    if (status >= 300) throw new Error(`the server answered ${status} ${response.statusMessage ?? ''}`.trim());
  }

  /** Gives one message to the client; false when it is none. */
  #message(text: string): boolean {
    const line = oneLine(text);
    if (line === undefined) return false;
    const message = readMessage(Buffer.from(line));
    if (message.kind === 'invalid') return false;
    if (message.kind === 'answer') {
      if (this.#initialize?.message.kind === 'request' && this.#initialize.message.id === message.id) this.#learn(line);
      this.#open.delete(message.id);
    }
    this.#ports.toClient(line);
    if (message.kind === 'answer') this.#tellIdle();
    return true;
  }

  #learn(line: string): void {
    const value: unknown = JSON.parse(line);
    const result = isFields(value) ? value['result'] : undefined;
    const revision = isFields(result) ? result['protocolVersion'] : undefined;
    if (typeof revision === 'string') this.#revision = revision;
  }

  /** Answers a request that is still open. */
  #fault({ message }: ClientLine, reason: string): void {
    if (message.kind === 'request') {
      if (!this.#open.delete(message.id)) return;
      this.#ports.toClient(faultAnswer(message.id, `The server at ${this.#ports.url.host} failed: ${reason}`));
      this.#tellIdle();
    } else if (reason !== 'the server sent no answer') this.#ports.say(`a message was not delivered: ${reason}`);
  }

  #abort(id: unknown): boolean {
    if (typeof id !== 'string' && typeof id !== 'number') return false;
    this.#open.get(id)?.abort();
    const wasOpen = this.#open.delete(id);
    this.#tellIdle();
    return wasOpen;
  }

  /** Keeps the stream open on which the server speaks of its own accord; not every server has one. */
  async #listen(): Promise<void> {
    if (this.#listening) return;
    this.#listening = true;
    let lastId = '';
    for (let pause = RETRY_FIRST_MS; !this.#ended.signal.aborted; pause = Math.min(pause * 2, RETRY_MAX_MS)) {
      try {
        const resume: Headers = lastId === '' ? {} : { 'last-event-id': lastId };
        const headers = this.#headers({ accept: 'text/event-stream', ...resume });
        const response = await send({ method: 'GET', url: this.#ports.url, headers, signal: this.#ended.signal });
        if (response.statusCode !== 200) return void response.resume();
        pause = RETRY_FIRST_MS;
        for await (const event of readEvents(response)) {
          lastId = event.lastId;
          this.#message(event.data);
        }
      } catch {
        // A stream that breaks is opened again below; requests report their own faults.
      }
      await wait(pause, undefined, { ref: false });
    }
  }

  #headers(more: Headers): Headers {
    const session: Headers = this.#session === '' ? {} : { 'mcp-session-id': this.#session };
    const revision: Headers = this.#revision === '' ? {} : { 'mcp-protocol-version': this.#revision };
    return { ...session, ...revision, ...more, ...this.#ports.headers };
  }

  #tellIdle(): void {
    if (this.pending === 0) this.#ports.onIdle();
  }
}

const ACCEPT = 'application/json, text/event-stream';

/** The headers by which revisions without a handshake repeat what the body says. */
function standardHeaders(method: string, params: Fields): Headers {
  const revision = revisionOf(params);
  if (revision === undefined) return {};
  const name = params['name'] ?? params['uri'];
  const named: Headers = typeof name === 'string' ? { 'mcp-name': name } : {};
  return { 'mcp-protocol-version': revision, 'mcp-method': method, ...named };
}

function isInitialize({ message }: ClientLine): boolean {
  return message.kind === 'request' && message.method === 'initialize';
}
