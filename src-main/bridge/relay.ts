// The heart of the bridge: passes messages between one client and the app, which may come, go and come again.
import { MAX_LINE_BYTES, PATCHBAY_VERSION } from '../../src-shared/mcp-identity.ts';
import type { RunFile } from '../core/config/run-file.ts';
import {
  discoverAnswer,
  initializeAnswer,
  invalidAnswer,
  pingAnswer,
  refusalAnswer,
  tooLongAnswer,
} from './answers.ts';
import type { Answer, Refusal } from './answers.ts';
import type { AppLink, LinkEvents } from './app-link.ts';
import type { ClientSide, ProgramPorts } from './client-side.ts';
import type { Found } from './finder.ts';
import type { LineTarget } from './lines.ts';
import { HANGS_AFTER, Heartbeat } from './heartbeat.ts';
import { idOfLongLine, readMessage } from './message.ts';
import type { Fields, Message, RequestId } from './message.ts';

/** Ids of requests that the bridge itself sends to the app. */
const REPLAY_ID = 'patchbay-bridge/initialize';
const PING_ID = 'patchbay-bridge/ping';

/** What the relay needs of the outside. */
export interface RelayPorts extends ProgramPorts {
  /** The running app; starts one where none runs. */
  reach(): Promise<Found>;
  /** The running app, if one runs. */
  look(): Promise<RunFile | undefined>;
  /** Whether a person chose Quit since this bridge came up. */
  wasQuit(): Promise<boolean>;
  open(app: RunFile, events: LinkEvents): Promise<AppLink | undefined>;
}

interface Waiting {
  readonly id: RequestId;
  readonly method: string;
  readonly params: Fields;
  readonly line: Buffer;
}

/** One client's relay. */
export class Relay implements ClientSide {
  readonly #ports: RelayPorts;
  #link: AppLink | undefined;
  #reaching = false;
  /** Requests that wait for an app, in order. */
  #queue: Waiting[] = [];
  /** Requests that the app has, without their lines. */
  readonly #inFlight = new Map<RequestId, Omit<Waiting, 'line'>>();
  /** Requests that were answered for an app that hung; its own answers come too late. */
  readonly #answered = new Set<RequestId>();
  readonly #heartbeat = new Heartbeat({ ask: () => this.#ping(), hangs: () => this.#hangs() });
  /** Questions of the app that the client has not answered; they die with their connection. */
  readonly #asked = new Set<RequestId>();
  #clientBehind = false;
  #initialize: Fields | undefined;
  #initialized = false;
  #appVersion: string | undefined;

  constructor(ports: RelayPorts) {
    this.#ports = ports;
  }

  /** Requests that are not answered yet. */
  get pending(): number {
    return this.#queue.length + this.#inFlight.size;
  }

  /** What the client sends. */
  readonly fromClient: LineTarget = {
    line: (line) => this.#clientLine(line, readMessage(line)),
    tooLong: (bytes, head, tail) => {
      this.#ports.say(`a message of ${bytes} bytes was refused`);
      this.#answer(tooLongAnswer(idOfLongLine(head, tail), bytes, MAX_LINE_BYTES));
    },
  };

  clientReads(): void {
    this.#clientBehind = false;
    this.#link?.resume();
  }

  async close(): Promise<void> {
    this.#link?.close();
  }

  /** To be called every second: notices an app that hangs. */
  tick(): void {
    // While nothing is read from the app, because the client is behind, its silence is our doing.
    this.#heartbeat.tick(this.#link !== undefined && !this.#clientBehind && this.#inFlight.size > 0);
  }

  /** Connects to a running app, starting one where none runs; what waits is sent or answered. */
  async connect(): Promise<void> {
    if (this.#link !== undefined || this.#reaching) return;
    this.#reaching = true;
    try {
      const refusal = await this.#reachAndOpen();
      if (refusal !== undefined) this.#refuseAll(refusal);
    } catch (error) {
      // Only a folder that cannot be read or written gets here; the text is the operating system's.
      const reason = error instanceof Error ? error.message : String(error);
      this.#refuseAll({ code: 'APP_UNAVAILABLE', message: `The data folder of Patchbay cannot be used: ${reason}` });
    } finally {
      this.#reaching = false;
    }
  }

  /** Connects again to an app that came up by itself; starts none. */
  async reconnect(): Promise<void> {
    if (this.#link !== undefined || this.#reaching) return;
    this.#reaching = true;
    try {
      const app = await this.#ports.look();
      if (app !== undefined) await this.#openLink(app);
    } catch {
      // A folder that cannot be read now: the next call says so, and this look comes again.
    } finally {
      this.#reaching = false;
    }
    // What came meanwhile has found the way taken.
    if (this.#queue.length > 0) await this.connect();
  }

  async #reachAndOpen(): Promise<Refusal | undefined> {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const found = await this.#ports.reach();
      if ('refusal' in found) return found.refusal;
      if (await this.#openLink(found.app)) return undefined;
    }
    return { code: 'APP_UNAVAILABLE', message: 'Patchbay runs but does not accept a connection' };
  }

  async #openLink(app: RunFile): Promise<boolean> {
    const link = await this.#ports.open(app, {
      line: (line) => this.#appLine(line),
      tooLong: (bytes, head, tail) => this.#appLineTooLong(bytes, idOfLongLine(head, tail)),
      lost: () => void this.#lost(),
      drain: () => this.#ports.clientMayTalk(true),
    });
    if (link === undefined) return false;
    this.#link = link;
    this.#heartbeat.heard();
    if (app.version !== PATCHBAY_VERSION) {
      this.#ports.say(`this is version ${PATCHBAY_VERSION}, the running Patchbay is ${app.version}`);
    }
    this.#greet(link);
    this.#announceChange(app.version);
    for (const waiting of this.#queue.splice(0)) this.#forward(link, waiting);
    return true;
  }

  /** Tells the app who the client is, as the client told us. */
  #greet(link: AppLink): void {
    if (this.#initialize === undefined) return;
    link.send(JSON.stringify({ jsonrpc: '2.0', id: REPLAY_ID, method: 'initialize', params: this.#initialize }));
    if (this.#initialized) link.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  }

  /** Another version may have other tools. */
  #announceChange(version: string): void {
    const before = this.#appVersion;
    this.#appVersion = version;
    if (before === undefined || before === version || !this.#initialized) return;
    this.#answer({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  }

  #clientLine(line: Buffer, message: Message): void {
    switch (message.kind) {
      case 'request':
        return this.#clientRequest({ ...message, line });
      case 'notification':
        return this.#clientNotification(line, message.method, message.params);
      case 'answer':
        if (this.#asked.delete(message.id)) this.#link?.send(line);
        return;
      case 'invalid':
        this.#ports.say(`a line of ${line.length} bytes is ${message.isJson ? 'no JSON-RPC' : 'no JSON'}`);
        return this.#answer(invalidAnswer(message.isJson, message.id));
    }
  }

  #clientRequest(request: Waiting): void {
    const version = this.#appVersion ?? PATCHBAY_VERSION;
    if (request.method === 'initialize') {
      this.#initialize = request.params;
      this.#answer(initializeAnswer(request.id, request.params, version));
      if (this.#link !== undefined) this.#greet(this.#link);
      return;
    }
    if (request.method === 'server/discover' && this.#initialize === undefined) {
      return this.#answer(discoverAnswer(request.id, request.params, version));
    }
    if (request.method === 'ping' && this.#initialize !== undefined) return this.#answer(pingAnswer(request.id));
    // What is sent to an app that hangs would be done later, when nobody expects it any more.
    if (this.#heartbeat.hanging) return this.#answer(refusalAnswer(request, HANGING));
    if (this.#link !== undefined) return this.#forward(this.#link, request);
    this.#queue.push(request);
    void this.connect();
  }

  #clientNotification(line: Buffer, method: string, params: Fields): void {
    if (method === 'notifications/initialized') this.#initialized = true;
    if (method === 'notifications/cancelled' && this.#cancelQueued(params['requestId'])) return;
    this.#send(this.#link, line);
  }

  /** A request that never reached the app is forgotten; the protocol wants no answer to it. */
  #cancelQueued(id: unknown): boolean {
    const before = this.#queue.length;
    this.#queue = this.#queue.filter((waiting) => waiting.id !== id);
    return this.#queue.length < before;
  }

  #forward(link: AppLink, { id, method, params, line }: Waiting): void {
    // Of the parameters only those are kept that an answer of ours would need; the rest may be megabytes.
    this.#inFlight.set(id, { id, method, params: { _meta: params['_meta'] } });
    this.#send(link, line);
  }

  #send(link: AppLink | undefined, line: Buffer): void {
    if (link?.send(line) === false && !this.#heartbeat.hanging) this.#ports.clientMayTalk(false);
  }

  /** In the revision that the client speaks; an answer that knows no ping is a sign of life as well. */
  #ping(): void {
    const [request] = this.#inFlight.values();
    const meta = request?.params['_meta'];
    const params = meta === undefined ? {} : { params: { _meta: meta } };
    this.#link?.send(JSON.stringify({ jsonrpc: '2.0', id: PING_ID, method: 'ping', ...params }));
  }

  #hangs(): void {
    this.#ports.say(`Patchbay has given no sign of life for ${HANGS_AFTER} seconds`);
    for (const request of this.#inFlight.values()) {
      this.#answered.add(request.id);
      this.#answer(refusalAnswer(request, HUNG));
    }
    this.#inFlight.clear();
    // Its own buffers are full at most; the client's handshake and pings are answered here.
    this.#ports.clientMayTalk(true);
    this.#tellIdle();
  }

  #appLine(line: Buffer): void {
    if (this.#heartbeat.hanging) this.#ports.say('Patchbay goes on');
    this.#heartbeat.heard();
    const message = readMessage(line);
    if (message.kind === 'invalid') return this.#ports.say(`Patchbay says: ${line.toString('utf8')}`);
    if (message.kind === 'request') this.#asked.add(message.id);
    if (message.kind === 'answer') {
      if (message.id === REPLAY_ID || message.id === PING_ID || this.#answered.delete(message.id)) return;
      this.#inFlight.delete(message.id);
    }
    if (!this.#ports.toClient(line)) {
      this.#clientBehind = true;
      this.#link?.pause();
    }
    if (message.kind === 'answer') this.#tellIdle();
  }

  #appLineTooLong(bytes: number, id: RequestId | null): void {
    this.#heartbeat.heard();
    this.#ports.say(`an answer of ${bytes} bytes was left out`);
    const request = id === null ? undefined : this.#inFlight.get(id);
    if (request === undefined) return;
    this.#inFlight.delete(request.id);
    this.#answer(
      refusalAnswer(request, { code: 'INTERNAL_ERROR', message: `The answer has ${bytes} bytes, too many` }),
    );
  }

  async #lost(): Promise<void> {
    this.#link = undefined;
    this.#heartbeat.heard();
    this.#answered.clear();
    this.#asked.clear();
    const requests = [...this.#inFlight.values()];
    this.#inFlight.clear();
    this.#ports.clientMayTalk(true);
    const refusal: Refusal = (await this.#ports.wasQuit().catch(() => false))
      ? { code: 'APP_QUIT', message: 'The person has quit Patchbay while this call ran' }
      : { code: 'APP_UNAVAILABLE', message: LOST_MESSAGE, hint: LOST_HINT };
    for (const request of requests) this.#answer(refusalAnswer(request, refusal));
    this.#tellIdle();
  }

  #refuseAll(refusal: Refusal): void {
    this.#ports.say(`${refusal.code}: ${refusal.message}`);
    for (const request of this.#queue.splice(0)) this.#answer(refusalAnswer(request, refusal));
    this.#tellIdle();
  }

  #answer(answer: Answer): void {
    this.#ports.toClient(JSON.stringify(answer));
  }

  #tellIdle(): void {
    if (this.pending === 0) this.#ports.onIdle();
  }
}

const LOST_MESSAGE = 'The connection to Patchbay was lost while this call ran, and whether it took effect is not known';
/** For calls that the app has. */
const HUNG: Refusal = {
  code: 'APP_UNAVAILABLE',
  message: `Patchbay does not respond: no sign of life for ${HANGS_AFTER} seconds. What this call began may go on, and may have its effect later`,
  hint: 'Tell the person that Patchbay hangs. Once it responds, call ssh_list_sessions to see what is there before you repeat the call.',
};
/** For calls that come while it hangs. */
const HANGING: Refusal = {
  code: 'APP_UNAVAILABLE',
  message: 'Patchbay does not respond, so this call was not passed on',
  hint: 'Tell the person that Patchbay hangs: it has to go on, or to be ended and started again. Then call again.',
};
const LOST_HINT = 'Call ssh_list_sessions to see what is there before you repeat it.';
