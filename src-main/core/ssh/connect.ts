// Connects and logs in: key files, TCP, greeting, host key, login, each with errors of its own.
import type net from 'node:net';
import ssh2 from 'ssh2';
import { AppError } from '../../../src-shared/errors.ts';
import { algorithmsFor } from './algorithms.ts';
import { Attempt } from './attempt.ts';
import { Connection } from './connection.ts';
import { dial } from './dial.ts';
import type { Greeting } from './greeting.ts';
import { lacksSoftwareName, OUR_IDENT, readGreeting } from './greeting.ts';
import { closedInHandshake, disconnected, handshakeFailure } from './handshake-failure.ts';
import { HostKeyCheck } from './host-key-check.ts';
import type { HostKeyBook } from './host-key-book.ts';
import { openHostKeyBook } from './host-key-book.ts';
import { Login } from './login.ts';
import { passwordExpired } from './login-failure.ts';
import type { LoginOffer } from './login-keys.ts';
import { gatherLogin } from './login-keys.ts';
import { cancelledConnect, networkFailure, timedOut } from './network-failure.ts';
import type { Connect, ConnectOptions } from './port.ts';
import { cleanText } from './printable.ts';
import { sayNothingOnce } from './quiet-start.ts';
import { signOverLine } from './ssh2-inside.ts';

/** See {@link Connect}. */
export const connect: Connect = async (target, options) => {
  const { host, port, username } = target;
  const attempt = new Attempt({ host, port, username }, options.timeoutMs, options.signal);
  let opening: Promise<Opened> | null = null;
  try {
    // The server takes its time to start a process for us: meanwhile keys and known_hosts are read. A key with a
    // passphrase may take longer than the server's patience, so there nothing is opened before it is unlocked.
    if (target.credentials.passphrase === undefined) opening = open(attempt);
    const [offer, book] = await Promise.all([
      gatherLogin(target, attempt),
      openHostKeyBook(options.knownHostsFiles, host, port),
    ]);
    opening ??= open(attempt);
    const opened = await opening;
    return await new Handshake({ attempt, ...opened, offer, book, options }).run();
  } catch (error) {
    // Also ends an opening that nobody waits for any more.
    attempt.fail(error instanceof AppError ? error : cancelledConnect(attempt.where));
    throw error;
  } finally {
    attempt.close();
  }
};

interface Opened {
  readonly socket: net.Socket;
  readonly greeting: Greeting;
}

/** Opens the connection up to the server's SSH line; its socket is destroyed when the attempt fails, however late. */
function open(attempt: Attempt): Promise<Opened> {
  const opening = openSocket(attempt);
  // The error belongs to whoever awaits the opening, but a key file's fault may come first.
  opening.catch(() => undefined);
  return opening;
}

async function openSocket(attempt: Attempt): Promise<Opened> {
  attempt.start();
  const socket = await dial(attempt);
  attempt.signal.addEventListener('abort', () => socket.destroy(), { once: true });
  if (attempt.signal.aborted) socket.destroy();
  return { socket, greeting: await readGreeting(socket, attempt) };
}

interface HandshakeParts {
  readonly attempt: Attempt;
  readonly socket: net.Socket;
  readonly greeting: Greeting;
  readonly offer: LoginOffer;
  readonly book: HostKeyBook;
  readonly options: ConnectOptions;
}

const REMOTE_LIST = /^Handshake: \(remote\) ([^:]+): (.*)$/;

/** Key exchange and login over a socket whose SSH line waits unread. */
class Handshake {
  readonly #parts: HandshakeParts;
  readonly #client = new ssh2.Client();
  readonly #login: Login;
  readonly #hostKey: HostKeyCheck;
  readonly #serverOffer = new Map<string, string>();
  readonly #banners: string[];
  #stage: 'handshake' | 'login' | 'done' = 'handshake';
  #fault: unknown;
  #storing: Promise<void> = Promise.resolve();

  constructor(parts: HandshakeParts) {
    const { attempt, book, options, offer, greeting } = parts;
    this.#parts = parts;
    this.#hostKey = new HostKeyCheck(attempt, book, options);
    this.#login = new Login(attempt.where, offer, (error) => attempt.fail(error));
    this.#banners = [greeting.notice];
  }

  async run(): Promise<Connection> {
    const { attempt, socket } = this.#parts;
    const { where, timeoutMs } = attempt;
    // It can end while keys are read, when nobody listens.
    if (socket.destroyed)
      throw socket.errored === null ? closedInHandshake(where) : networkFailure(where, socket.errored);
    attempt.whenLate(() =>
      timedOut(
        where,
        timeoutMs,
        this.#stage === 'login' ? 'did not finish the login' : 'did not finish the SSH handshake',
      ),
    );
    const ready = new Promise<void>((resolve) => this.#client.once('ready', resolve));
    this.#listen();
    sayNothingOnce(socket, `SSH-2.0-${OUR_IDENT}\r\n`);
    this.#start();
    try {
      await attempt.race(ready);
    } finally {
      await this.#storing;
    }
    if (attempt.signal.aborted) throw attempt.reason();
    this.#stage = 'done';
    return this.#connection();
  }

  #start(): void {
    const { attempt, socket, book, greeting } = this.#parts;
    this.#client.connect({
      sock: socket,
      ident: OUR_IDENT,
      username: attempt.where.username,
      algorithms: algorithmsFor(book.keyTypes),
      hostVerifier: this.#hostKey.verify,
      authHandler: this.#login.handler,
      // Our own clock stands still while a person is asked; ssh2's would run on.
      readyTimeout: 0,
      keepaliveInterval: 0,
      debug: (line) => this.#watch(line),
    });
    if (lacksSoftwareName(greeting.line)) signOverLine(this.#client, greeting.line);
  }

  #listen(): void {
    const { attempt } = this.#parts;
    // Stays for the client's whole life: one fault can be emitted twice, also after the connect has failed.
    this.#client.on('error', (error: unknown) => this.#onError(error));
    this.#client.on('close', () => this.#stage === 'done' || attempt.fail(this.#endError()));
    this.#client.on('handshake', () => {
      if (this.#stage !== 'handshake') return;
      this.#stage = 'login';
      this.#storing = this.#hostKey.store();
    });
    this.#client.on('banner', (text) => this.#banners.push(text));
    this.#client.on('change password', () => attempt.fail(passwordExpired(attempt.where)));
  }

  #watch(line: string): void {
    if (this.#stage === 'login') this.#login.watch(line);
    if (this.#stage !== 'handshake') return;
    const [, kind, list] = REMOTE_LIST.exec(line) ?? [];
    if (kind !== undefined && list !== undefined) this.#serverOffer.set(kind, list);
  }

  #onError(error: unknown): void {
    if (this.#stage === 'done') return;
    const level = levelOf(error);
    // ssh2 goes on with the next method by itself after these.
    if (level === 'agent' || level === 'client-authentication') return;
    this.#fault ??= error;
    this.#parts.attempt.fail(this.#endError());
  }

  #endError() {
    const { where } = this.#parts.attempt;
    const fault = this.#fault;
    const level = levelOf(fault);
    if (level === 'client-socket') return networkFailure(where, fault);
    if (this.#stage === 'login') return this.#login.ended(fault instanceof Error ? fault.message : '');
    if (fault === undefined) return closedInHandshake(where);
    return isDisconnect(fault) ? disconnected(where, fault) : handshakeFailure(where, fault, this.#serverOffer);
  }

  #connection(): Connection {
    const { attempt, socket, greeting, options } = this.#parts;
    const { fingerprint, keyType } = this.#hostKey.shown;
    return new Connection(
      {
        client: this.#client,
        socket,
        where: attempt.where,
        serverVersion: cleanText(greeting.line),
        fingerprint,
        hostKeyType: keyType,
        banner: cleanText(this.#banners.join('')).trim(),
      },
      options,
    );
  }
}

function levelOf(error: unknown): string {
  return error instanceof Error && 'level' in error && typeof error.level === 'string' ? error.level : '';
}

/** A message of the server's own, with the reason number of RFC 4253 section 11.1. */
function isDisconnect(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'number';
}
