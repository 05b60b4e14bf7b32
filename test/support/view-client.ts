// A view of the test: logs in over HTTP as a page does, opens the real WebSocket, calls, and collects events and frames.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { PATHS, decodeFrame, serverMessageSchema } from '../../src-shared/protocol/index.ts';
import type {
  CallInput,
  CallName,
  CallOutput,
  EventName,
  EventPayload,
  StreamFrame,
} from '../../src-shared/protocol/index.ts';
import { waitFor } from './processes.ts';

/** An error as a view gets it. */
export class CallFailure extends Error {
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(error: { readonly code: string; readonly message: string; readonly details: Record<string, unknown> }) {
    super(`${error.code}: ${error.message}`);
    this.code = error.code;
    this.details = error.details;
  }
}

/** Sends JSON to the gateway, as the page does. */
export function postJson(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

/** Logs in with a token and returns the cookie header. */
export async function loginWith(monitorUrl: string, token: string): Promise<string> {
  return cookieOf(await postJson(monitorUrl + PATHS.LOGIN, { token }));
}

/** Exchanges the ticket of a session's link for the cookie header. */
export async function enterByLink(link: string): Promise<string> {
  const url = new URL(link);
  const session = url.pathname.replace('/session/', '');
  return cookieOf(await postJson(url.origin + PATHS.TICKET, { session, ticket: url.hash.replace('#v=', '') }));
}

function cookieOf(answer: Response): string {
  if (answer.status !== 204) throw new Error(`no way in: ${answer.status}`);
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0] ?? '')
    .join('; ');
}

/** Where and as whom to open a view. */
export interface ViewRequest {
  readonly monitorUrl: string;
  readonly cookie: string;
  readonly session?: string;
}

interface Waiting {
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A stream as a page keeps it: what was drawn, in order. */
export interface DrawnStream {
  readonly streamId: number;
  readonly mark: string;
  /** Offset behind the last byte. */
  end: number;
  /** The last drawing and everything since, or everything since the beginning; one character a byte. */
  text: string;
  readonly snapshots: StreamFrame[];
  readonly skips: EventPayload<'stream.skipped'>[];
  ended: boolean;
  /** False: never acknowledges, as a page that sleeps. */
  acks: boolean;
  bytes: number;
}

/** One attached view. */
export class ViewClient {
  readonly socket: WebSocket;
  readonly events: { readonly event: string; readonly payload: unknown }[] = [];
  readonly streams = new Map<number, DrawnStream>();
  closeCode: number | undefined;
  readonly #waiting = new Map<number, Waiting>();
  readonly #early: StreamFrame[] = [];
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.#frame(data);
      else this.#message(data.toString());
    });
    socket.on('close', (code) => {
      this.closeCode = code;
      for (const { reject } of this.#waiting.values()) reject(new Error(`the line was closed: ${code}`));
      this.#waiting.clear();
    });
    socket.on('error', () => undefined);
  }

  /** Opens a view; rejects when the upgrade is refused, with the HTTP status in the message. */
  static async open({ monitorUrl, cookie, session }: ViewRequest): Promise<ViewClient> {
    const url = new URL(PATHS.SOCKET, monitorUrl.replace('http:', 'ws:'));
    if (session !== undefined) url.searchParams.set('session', session);
    const socket = new WebSocket(url, { headers: { cookie }, perMessageDeflate: false });
    const view = new ViewClient(socket);
    await once(socket, 'open');
    return view;
  }

  call<Name extends CallName>(call: Name, input: CallInput<Name>): Promise<CallOutput<Name>> {
    return this.raw(call, input) as Promise<CallOutput<Name>>;
  }

  /** Calls with whatever a test wants to send. */
  raw(call: string, input: unknown): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.socket.send(JSON.stringify({ id, call, input }));
    });
  }

  /** Opens a stream and draws it from now on. */
  async draw(input: CallInput<'stream.open'>, acks = true): Promise<DrawnStream> {
    const { streamId, mark, offset } = await this.call('stream.open', input);
    const stream: DrawnStream = {
      streamId,
      mark,
      end: offset,
      text: '',
      snapshots: [],
      skips: [],
      ended: false,
      acks,
      bytes: 0,
    };
    this.streams.set(streamId, stream);
    for (const frame of this.#early.splice(0)) this.#drawFrame(frame);
    for (const { event, payload } of this.events) this.#streamEvent(event, payload);
    return stream;
  }

  /** Payloads of an event so far. */
  of<Name extends EventName>(event: Name): EventPayload<Name>[] {
    return this.events.filter((one) => one.event === event).map(({ payload }) => payload as EventPayload<Name>);
  }

  /** Waits until an event has come for which `matches` holds. */
  async until<Name extends EventName>(event: Name, matches: (payload: EventPayload<Name>) => boolean): Promise<void> {
    await waitFor(`the event ${event}`, () => this.of(event).some(matches));
  }

  async close(): Promise<void> {
    if (this.socket.readyState === WebSocket.CLOSED) return;
    this.socket.close();
    await once(this.socket, 'close');
  }

  #message(text: string): void {
    const message = serverMessageSchema.parse(JSON.parse(text));
    if ('event' in message) {
      this.events.push(message);
      this.#streamEvent(message.event, message.payload);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.ok) waiting?.resolve(message.output);
    else waiting?.reject(new CallFailure(message.error));
  }

  #streamEvent(event: string, payload: unknown): void {
    const { streamId } = payload as { streamId?: number };
    const stream = streamId === undefined ? undefined : this.streams.get(streamId);
    if (stream === undefined) return;
    if (event === 'stream.ended') stream.ended = true;
    const skip = payload as EventPayload<'stream.skipped'>;
    if (event !== 'stream.skipped' || stream.skips.includes(skip)) return;
    stream.skips.push(skip);
    stream.end = skip.offset;
  }

  #frame(data: Buffer): void {
    const frame = decodeFrame(data);
    if (frame === undefined) throw new Error('a frame that cannot be read');
    if (this.streams.has(frame.streamId)) this.#drawFrame(frame);
    else this.#early.push(frame);
  }

  #drawFrame(frame: StreamFrame): void {
    const stream = this.streams.get(frame.streamId);
    if (stream === undefined) return;
    if (frame.kind === 'snapshot') {
      stream.snapshots.push(frame);
      stream.text = Buffer.from(frame.bytes).toString('latin1');
      stream.end = frame.offset;
    } else {
      if (frame.offset !== stream.end) throw new Error(`bytes at ${frame.offset} after ${stream.end}`);
      stream.text += Buffer.from(frame.bytes).toString('latin1');
      stream.end += frame.bytes.byteLength;
      stream.bytes += frame.bytes.byteLength;
    }
    if (stream.acks)
      void this.call('stream.ack', { streamId: stream.streamId, offset: stream.end }).catch(() => undefined);
  }
}
