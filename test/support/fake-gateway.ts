// A gateway of the tests' own: serves the built page and speaks the protocol of the views with scripted sessions.
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { WebSocketServer } from 'ws';
import type { RawData, WebSocket } from 'ws';
import type { CommandView, SessionView } from '../../src-shared/model/index.ts';
import { PATHS, encodeFrame, encodeMark, requestSchema } from '../../src-shared/protocol/index.ts';
import type { AppState, CallName, EventName, EventPayload, Request } from '../../src-shared/protocol/index.ts';
import { appError, toErrorData } from '../../src-shared/errors.ts';

/** The built page. */
const ASSETS = fileURLToPath(new URL('../../out/renderer/', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Secret word of every transcript here. */
export const MARK = 'feedface';

/** What a scripted session holds. */
export interface Script {
  transcript: string;
  terminal: string;
  commands: CommandView[];
}

/** A call that a test answers itself. */
export type Answer = (input: unknown) => unknown;

interface Opened {
  readonly socket: WebSocket;
  readonly session: string;
  readonly lane: 'commands' | 'terminal';
  readonly streamId: number;
}

/** The gateway. */
export class FakeGateway {
  readonly state: AppState;
  readonly scripts = new Map<string, Script>();
  /** Calls that came, in order. */
  readonly calls: { readonly call: string; readonly input: unknown }[] = [];
  readonly answers = new Map<CallName, Answer>();
  /** The token that /api/login takes; null: everybody is let in. */
  token: string | null = null;
  #in = false;
  #streams: Opened[] = [];
  #nextStream = 1;
  readonly #sockets = new Set<WebSocket>();
  readonly #server: Server;
  readonly #sent = new WeakMap<WebSocket, number>();

  constructor(state: AppState) {
    this.state = state;
    this.#server = createServer((request, response) => void this.#http(request, response));
    const sockets = new WebSocketServer({ noServer: true });
    this.#server.on('upgrade', (request, socket, head) => {
      if (this.#locked()) {
        socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
        return;
      }
      sockets.handleUpgrade(request, socket, head, (opened) => this.#welcome(opened));
    });
  }

  /** Starts on `port` (0: a free one); resolves with the address. */
  async listen(port = 0): Promise<string> {
    await new Promise<void>((resolve) => {
      this.#server.listen(port, '127.0.0.1', resolve);
    });
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '';
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  /** Ends every line without a word. */
  cut(): void {
    for (const socket of this.#sockets) socket.terminate();
  }

  script(session: string): Script {
    const known = this.scripts.get(session) ?? { transcript: '', terminal: '', commands: [] };
    this.scripts.set(session, known);
    return known;
  }

  emit<Name extends EventName>(event: Name, payload: EventPayload<Name>): void {
    for (const socket of this.#sockets) socket.send(JSON.stringify({ event, payload }));
  }

  /** Changes a session here and in the views. */
  change(session: SessionView): void {
    this.state.sessions = [...this.state.sessions.filter(({ name }) => name !== session.name), session];
    this.emit('session.changed', { session });
  }

  /** Adds to a transcript and sends it to who watches. */
  append(session: string, text: string): void {
    this.script(session).transcript += text;
    for (const stream of this.#streams)
      if (stream.session === session && stream.lane === 'commands') this.#push(stream);
  }

  #offsets = new Map<number, number>();

  #push(stream: Opened): void {
    const script = this.script(stream.session);
    const bytes = Buffer.from(stream.lane === 'commands' ? script.transcript : script.terminal);
    const offset = this.#offsets.get(stream.streamId) ?? 0;
    if (offset >= bytes.length) return;
    this.#offsets.set(stream.streamId, bytes.length);
    stream.socket.send(encodeFrame({ streamId: stream.streamId, offset, bytes: bytes.subarray(offset) }));
  }

  #locked(): boolean {
    return this.token !== null && !this.#in;
  }

  #welcome(socket: WebSocket): void {
    this.#sockets.add(socket);
    socket.on('close', () => {
      this.#sockets.delete(socket);
      this.#streams = this.#streams.filter((stream) => stream.socket !== socket);
    });
    socket.on('message', (data) => this.#request(socket, requestSchema.parse(JSON.parse(textOf(data)))));
  }

  #request(socket: WebSocket, request: Request): void {
    this.calls.push({ call: request.call, input: request.input });
    this.#sent.set(socket, (this.#sent.get(socket) ?? 0) + 1);
    const reply = (body: object): void => socket.send(JSON.stringify({ id: request.id, ...body }));
    Promise.resolve()
      .then(() => this.#answer(socket, request))
      .then(
        ({ output, after }) => {
          reply({ ok: true, output });
          after?.();
        },
        (error: unknown) => reply({ ok: false, error: toErrorData(error) }),
      );
  }

  async #answer(socket: WebSocket, { call, input }: Request): Promise<{ output: unknown; after?: () => void }> {
    for (const [name, answer] of this.answers) if (name === call) return { output: await answer(input) };
    const { session, lane, fromOffset } = parts(input);
    if (call === 'state.get') return { output: this.state };
    if (call === 'command.list') return { output: { commands: this.script(session).commands } };
    if (call === 'stream.open') return this.#open(socket, { session, lane, fromOffset });
    if (call === 'command.output') {
      return { output: { base64: Buffer.from('output\n').toString('base64'), nextOffset: 7, totalBytes: 7 } };
    }
    if (call === 'pause.set') this.emit('pause.changed', { pause: parts(input).state });
    if (call.startsWith('lease.')) this.#lease(session, call === 'lease.take');
    return { output: {} };
  }

  #lease(name: string, taken: boolean): void {
    const session = this.state.sessions.find((one) => one.name === name);
    if (session === undefined) throw appError('SESSION_NOT_FOUND');
    this.change({ ...session, lease: { holder: taken ? 'person' : 'idle', client: null, since: Date.now() } });
  }

  #open(socket: WebSocket, where: { session: string; lane: 'commands' | 'terminal'; fromOffset: number }) {
    const streamId = this.#nextStream++;
    const stream: Opened = { socket, session: where.session, lane: where.lane, streamId };
    this.#offsets.set(streamId, where.fromOffset);
    const after = (): void => {
      this.#streams.push(stream);
      this.#push(stream);
    };
    return { output: { streamId, offset: where.fromOffset, mark: MARK, cols: 90, rows: 24 }, after };
  }

  async #http(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === PATHS.LOGIN || pathname === PATHS.TICKET) {
      this.#in = (await bodyOf(request)).includes(this.token ?? '');
      response.writeHead(this.#in ? 204 : 401).end(this.#in ? undefined : '{"error":"wrong token"}');
    } else if (pathname === PATHS.ACCESS) {
      response.writeHead(this.#locked() ? 401 : 200).end(JSON.stringify({ role: 'viewer', onlySession: null }));
    } else {
      const asset = /\/(assets\/.*)$/.exec(pathname)?.[1];
      const file = asset ?? 'monitor.html';
      await sendFile(path.join(ASSETS, file), response, this.#locked() ? 401 : 200);
    }
  }
}

function parts(input: unknown) {
  const given = Object(input) as Partial<{
    session: string;
    lane: 'commands' | 'terminal';
    fromOffset: number;
    state: AppState['pause'];
  }>;
  return {
    session: given.session ?? '',
    lane: given.lane ?? 'commands',
    fromOffset: given.fromOffset ?? 0,
    state: given.state ?? 'off',
  };
}

function textOf(data: RawData): string {
  return Buffer.isBuffer(data) ? data.toString() : '';
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString();
}

async function sendFile(file: string, response: ServerResponse, status: number): Promise<void> {
  try {
    const bytes = await readFile(file);
    const type = TYPES[path.extname(file)] ?? 'application/octet-stream';
    response.writeHead(path.extname(file) === '.html' ? status : 200, { 'content-type': type }).end(bytes);
  } catch {
    response.writeHead(404).end();
  }
}

/** The text of one command in a transcript, as the core writes it. */
export function block(command: CommandView, output: string): string {
  const mark = (kind: 'start' | 'output' | 'end'): string => encodeMark(MARK, { kind, commandId: command.commandId });
  const header = `\u001b[2m${command.workingDir ?? ''}\u001b[22m \u001b[1m${command.command}\u001b[0m\n`;
  const end = command.endedAt === null ? '' : `\u001b[0m${mark('end')}`;
  return mark('start') + header + mark('output') + output + end;
}

/** For tests that answer with a failure. */
export function fail(error: Error): Answer {
  return () => {
    throw error;
  };
}
