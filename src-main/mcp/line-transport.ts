// An MCP transport over a socket: one JSON-RPC message a line. Faulty lines are answered and the rest goes on.
import type { Socket } from 'node:net';
import { parseJSONRPCMessage } from '@modelcontextprotocol/server';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { MAX_LINE_BYTES } from '../../src-shared/mcp-identity.ts';
import type { Log } from '../core/core.ts';
import { fingerprint } from './fingerprint.ts';
import { LineReader } from './line-reader.ts';

/** JSON-RPC's own codes for what cannot be read. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** The transport of one connection; it owns the socket. */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];

  readonly #socket: Socket;
  readonly #log: Log;
  readonly #reader: LineReader;
  readonly #first: Buffer;
  #closed = false;

  /** `first` is what came behind the line that opened the connection. */
  constructor(socket: Socket, first: Buffer, log: Log) {
    this.#socket = socket;
    this.#first = first;
    this.#log = log;
    this.#reader = new LineReader(MAX_LINE_BYTES, {
      onLine: (line) => this.#read(line),
      onTooLong: (bytes) => this.#refuseTooLong(bytes),
    });
  }

  start(): Promise<void> {
    this.#socket.on('data', (chunk: Buffer) => this.#reader.push(chunk));
    this.#socket.on('error', (error) => this.onerror?.(error));
    this.#socket.on('end', () => this.#end());
    this.#socket.on('close', () => this.#end());
    if (this.#first.length > 0) this.#reader.push(this.#first);
    this.#socket.resume();
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#write(message);
  }

  close(): Promise<void> {
    this.#end();
    return Promise.resolve();
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#socket.end();
    this.#socket.destroySoon();
    this.onclose?.();
  }

  #read(line: Buffer): void {
    if (line.length === 0) return;
    let value: unknown;
    try {
      value = JSON.parse(line.toString('utf8'));
    } catch {
      // Not JSON: it may hold anything, so only its size and hash are logged.
      this.#log.warn('MCP line is not JSON', { ...fingerprint(line) });
      this.#refuse(PARSE_ERROR, 'Parse error: the line is not JSON');
      return;
    }
    this.#deliver(value, line);
  }

  #deliver(value: unknown, line: Buffer): void {
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      // JSON, but no message: the same rule for the log.
      this.#log.warn('MCP line is no JSON-RPC message', { ...fingerprint(line) });
      this.#refuse(INVALID_REQUEST, 'Invalid request: the line is no JSON-RPC 2.0 message', requestIdOf(value));
      return;
    }
    this.onmessage?.(message);
  }

  #refuseTooLong(bytes: number): void {
    this.#log.warn('MCP line is too long', { bytes, limit: MAX_LINE_BYTES });
    this.#refuse(
      INVALID_REQUEST,
      `Invalid request: the line has ${bytes} bytes, at most ${MAX_LINE_BYTES} are allowed`,
    );
  }

  #refuse(code: number, message: string, id: string | number | null = null): void {
    this.#write({ jsonrpc: '2.0', id, error: { code, message } }).catch((error: unknown) =>
      this.onerror?.(asError(error)),
    );
  }

  #write(message: object): Promise<void> {
    if (this.#closed || this.#socket.destroyed) return Promise.reject(new Error('the connection is closed'));
    return new Promise((resolve, reject) => {
      this.#socket.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }
}

/** The id of something that looks like a request, so that its sender can match the error. */
function requestIdOf(value: unknown): string | number | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  return typeof value.id === 'string' || typeof value.id === 'number' ? value.id : null;
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
