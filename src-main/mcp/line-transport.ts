// An MCP transport over a socket: one JSON-RPC message a line. Faulty lines are answered and the rest goes on.
import type { Socket } from 'node:net';
import { parseJSONRPCMessage } from '@modelcontextprotocol/server';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { MAX_LINE_BYTES } from '../../src-shared/mcp-identity.ts';
import type { Log } from '../core/core.ts';
import { fingerprint } from './fingerprint.ts';
import { InFlight, MAX_IN_FLIGHT } from './in-flight.ts';
import { shapeFault } from './json-shape.ts';
import { LineReader } from './line-reader.ts';
import { noteSize } from './message-size.ts';

/** JSON-RPC's own codes for what cannot be read. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
/** JSON-RPC code for a refusal, in the range that the protocol leaves to servers. */
const REFUSED = -32_000;
/** Lines that are handled before everybody else gets a turn: a burst of thousands takes seconds. */
const LINES_A_TURN = 16;
/** Milliseconds after which a turn ends, too. */
const TURN_MS = 8;
/** Faulty lines in a row after which the connection is closed: whoever sends them does not speak the protocol. */
const MAX_FAULTY = 100;
/** Bytes of answers that may wait; beyond them no more requests are read, at the second the connection ends. */
const PAUSE_BYTES = 4 * 1024 * 1024;
const CUT_BYTES = 64 * 1024 * 1024;

/** The transport of one connection; it owns the socket. */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];

  readonly #socket: Socket;
  readonly #log: Log;
  readonly #reader: LineReader;
  readonly #first: Buffer;
  readonly #inFlight = new InFlight();
  /** Lines that were read and not handled yet; at most what one read of the socket brought. */
  #lines: Buffer[] = [];
  #turn: NodeJS.Immediate | undefined;
  #faulty = 0;
  #ending = false;
  #closed = false;

  /** `first` is what came behind the line that opened the connection. */
  constructor(socket: Socket, first: Buffer, log: Log) {
    this.#socket = socket;
    this.#first = first;
    this.#log = log;
    this.#reader = new LineReader(MAX_LINE_BYTES, {
      onLine: (line) => {
        if (line.length > 0) this.#lines.push(line);
      },
      onTooLong: (bytes) => this.#refuseTooLong(bytes),
    });
  }

  start(): Promise<void> {
    this.#socket.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#socket.on('drain', () => this.#goOn());
    this.#socket.on('error', (error) => this.onerror?.(error));
    this.#socket.on('end', () => this.#inputEnded());
    this.#socket.on('close', () => this.#end());
    if (this.#first.length > 0) this.#take(this.#first);
    this.#goOn();
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.#inFlight.leaves(message);
    return this.#write(message);
  }

  close(): Promise<void> {
    this.#end();
    return Promise.resolve();
  }

  #take(chunk: Buffer): void {
    this.#reader.push(chunk);
    if (this.#turn === undefined) this.#handle();
  }

  /** Handles some lines; the rest of them, and of the socket, wait for the next turn. */
  #handle(): void {
    this.#turn = undefined;
    const until = performance.now() + TURN_MS;
    let done = 0;
    while (done < this.#lines.length && done < LINES_A_TURN && performance.now() < until) {
      this.#read(this.#lines[done] ?? Buffer.alloc(0));
      if (this.#closed) return;
      done += 1;
    }
    this.#lines.splice(0, done);
    if (this.#lines.length > 0) {
      this.#socket.pause();
      this.#turn = setImmediate(() => this.#handle());
    } else if (this.#ending) this.#endSoon();
    else this.#goOn();
  }

  #goOn(): void {
    if (this.#turn === undefined && this.#socket.writableLength < PAUSE_BYTES) this.#socket.resume();
  }

  #inputEnded(): void {
    this.#ending = true;
    if (this.#turn === undefined) this.#endSoon();
  }

  /** What can be answered at once is: a script may have sent its requests and the end in one go. */
  #endSoon(): void {
    setImmediate(() => this.#end());
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearImmediate(this.#turn);
    this.#lines = [];
    this.#socket.end();
    this.#socket.destroySoon();
    this.onclose?.();
  }

  #read(line: Buffer): void {
    const fault = shapeFault(line);
    if (fault !== undefined) return this.#refuseLine(line, INVALID_REQUEST, `Invalid request: the line ${fault}`);
    let value: unknown;
    try {
      value = JSON.parse(line.toString('utf8'));
    } catch {
      return this.#refuseLine(line, PARSE_ERROR, 'Parse error: the line is not JSON');
    }
    this.#deliver(value, line);
  }

  #deliver(value: unknown, line: Buffer): void {
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      const why = 'Invalid request: the line is no JSON-RPC 2.0 message';
      return this.#refuseLine(line, INVALID_REQUEST, why, requestIdOf(value));
    }
    this.#faulty = 0;
    noteSize(message, line.length);
    if (this.#inFlight.arrives(message)) return this.onmessage?.(message);
    const why = `Refused: ${MAX_IN_FLIGHT} requests of this connection are not answered yet`;
    this.#refuse(REFUSED, why, requestIdOf(message));
  }

  /** A line that cannot be read may hold anything, so only its size and hash are logged. */
  #refuseLine(line: Buffer, code: number, message: string, id: string | number | null = null): void {
    this.#log.warn('MCP line refused', { why: message, ...fingerprint(line) });
    this.#refuse(code, message, id);
    this.#countFaulty();
  }

  #refuseTooLong(bytes: number): void {
    this.#log.warn('MCP line is too long', { bytes, limit: MAX_LINE_BYTES });
    this.#refuse(
      INVALID_REQUEST,
      `Invalid request: the line has ${bytes} bytes, at most ${MAX_LINE_BYTES} are allowed`,
    );
    this.#countFaulty();
  }

  #countFaulty(): void {
    this.#faulty += 1;
    if (this.#faulty < MAX_FAULTY) return;
    this.#log.warn('MCP connection closed: too many faulty lines in a row', { lines: this.#faulty });
    this.#refuse(REFUSED, `Closed: ${MAX_FAULTY} lines in a row were no JSON-RPC messages`);
    this.#end();
  }

  #refuse(code: number, message: string, id: string | number | null = null): void {
    this.#write({ jsonrpc: '2.0', id, error: { code, message } }).catch((error: unknown) =>
      this.onerror?.(asError(error)),
    );
  }

  #write(message: object): Promise<void> {
    if (this.#closed || this.#socket.destroyed) return Promise.reject(new Error('the connection is closed'));
    const line = `${JSON.stringify(message)}\n`;
    noteSize(message, Buffer.byteLength(line) - 1);
    return new Promise((resolve, reject) => {
      this.#socket.write(line, (error) => (error ? reject(error) : resolve()));
      if (this.#socket.writableLength >= PAUSE_BYTES) this.#socket.pause();
      if (this.#socket.writableLength > CUT_BYTES) this.#cut();
    });
  }

  /** A client that asks on and on and reads nothing would fill the memory. */
  #cut(): void {
    this.#log.warn('MCP connection closed: its client does not read', { waitingBytes: this.#socket.writableLength });
    this.#socket.destroy();
  }
}

/** The id of something that looks like a request, so that its sender can match the error. */
function requestIdOf(value: unknown): string | number | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  return typeof value.id === 'string' || typeof value.id === 'number' ? value.id : null;
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
