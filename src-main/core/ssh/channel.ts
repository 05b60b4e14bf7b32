// One channel over ssh2: delivers data when the receiver is ready, and its end once and after all data.
import type net from 'node:net';
import type { ClientChannel } from 'ssh2';
import type { ExecChannel, ShellChannel } from './port.ts';

type End = Parameters<ExecChannel['onClose']>[0];

const LOST: End = { exitCode: null, signal: null };

/** What both kinds of channel share. */
export class Line {
  onClose: (end: End) => void = () => undefined;
  protected readonly channel: ClientChannel;
  readonly #socket: net.Socket;
  readonly #onGone: (line: Line) => void;
  readonly #waiting = new Set<() => void>();
  #exit: End = LOST;
  #closeSeen = false;
  #stderrDone = false;
  #done = false;

  constructor(channel: ClientChannel, socket: net.Socket, onGone: (line: Line) => void) {
    this.channel = channel;
    this.#socket = socket;
    this.#onGone = onGone;
    channel.on('exit', (code: unknown, signal: unknown) => {
      this.#exit = { exitCode: typeof code === 'number' ? code : null, signal: signalName(signal) };
    });
    // The exit status can come before the last data; close comes after stdout's end, stderr has its own.
    channel.on('close', () => this.#mark('close'));
    channel.stderr.on('end', () => this.#mark('stderr'));
    channel.stderr.on('close', () => this.#mark('stderr'));
    channel.on('error', ignoreLateFault);
    channel.stderr.on('error', ignoreLateFault);
    // The receiver sets its functions in this turn; what comes meanwhile waits in the streams.
    setImmediate(() => this.#done || this.attach());
  }

  /** Resolves when channel and socket can take more, at once when the channel has ended. */
  async write(bytes: Uint8Array | string): Promise<void> {
    if (this.#done || !this.channel.writable) return;
    const all = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
    const taken = unlessDead(() => this.channel.write(all)) ?? true;
    if (!taken) await this.#drained(this.channel);
    if (this.#socket.writableNeedDrain) await this.#drained(this.#socket);
  }

  pause(): void {
    this.channel.pause();
    this.channel.stderr.pause();
  }

  resume(): void {
    this.channel.resume();
    this.channel.stderr.resume();
  }

  /** Tells the server, and ends here at once: a server may keep a closed channel until its process ends. */
  close(): void {
    if (this.#done) return;
    unlessDead(() => this.channel.close());
    this.abandon();
  }

  /** Ends without a word to the server: nothing more is delivered but onClose. */
  abandon(): void {
    if (this.#done) return;
    this.channel.removeAllListeners('data');
    this.channel.stderr.removeAllListeners('data');
    this.resume();
    queueMicrotask(() => this.#finish(LOST));
  }

  /** Lets data flow to the receiver. */
  protected attach(): void {}

  #mark(what: 'close' | 'stderr'): void {
    if (what === 'close') this.#closeSeen = true;
    else this.#stderrDone = true;
    if (this.#closeSeen && this.#stderrDone) this.#finish(this.#exit);
  }

  #finish(end: End): void {
    if (this.#done) return;
    this.#done = true;
    this.#onGone(this);
    for (const wake of this.#waiting) wake();
    this.onClose(end);
  }

  #drained(stream: ClientChannel | net.Socket): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        stream.off('drain', wake);
        this.#waiting.delete(wake);
        resolve();
      };
      this.#waiting.add(wake);
      stream.on('drain', wake);
    });
  }
}

/** See {@link ExecChannel}. */
export class ExecLine extends Line implements ExecChannel {
  onStdout: (bytes: Buffer) => void = () => undefined;
  onStderr: (bytes: Buffer) => void = () => undefined;

  endInput(): void {
    if (this.channel.writable) unlessDead(() => this.channel.end());
  }

  signal(name: string): void {
    unlessDead(() => this.channel.signal(name));
  }

  protected override attach(): void {
    this.channel.on('data', (bytes: Buffer) => this.onStdout(bytes));
    this.channel.stderr.on('data', (bytes: Buffer) => this.onStderr(bytes));
  }
}

/** See {@link ShellChannel}. */
export class ShellLine extends Line implements ShellChannel {
  onData: (bytes: Buffer) => void = () => undefined;

  resize(cols: number, rows: number): void {
    unlessDead(() => this.channel.setWindow(rows, cols, 0, 0));
  }

  protected override attach(): void {
    this.channel.on('data', (bytes: Buffer) => this.onData(bytes));
    this.channel.stderr.on('data', (bytes: Buffer) => this.onData(bytes));
  }
}

/** For a moment after a connection's fault its channels still look open, and ssh2 throws; their end is on its way. */
function unlessDead<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** The name without SIG, as everywhere in Patchbay. */
function signalName(signal: unknown): string | null {
  return typeof signal === 'string' ? signal.replace(/^SIG/, '') : null;
}

/** The connection reports its own faults; a channel's stream may repeat them when both are ending. */
function ignoreLateFault(): void {}
