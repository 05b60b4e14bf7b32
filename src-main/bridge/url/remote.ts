// What the two ways of talking to a remote MCP server have in common.
import type { Message, RequestId } from '../message.ts';
import type { Headers } from './http.ts';

/** A line of the client, read as far as needed. */
export interface ClientLine {
  readonly line: Buffer;
  readonly message: Exclude<Message, { kind: 'invalid' }>;
}

/** What a remote needs of the outside. */
export interface RemotePorts {
  readonly url: URL;
  /** Headers that the person gave; they may hold a token and are never shown. */
  readonly headers: Headers;
  /** Writes one message to the client. */
  toClient(text: string): void;
  say(text: string): void;
  /** Called when no request waits any more. */
  onIdle(): void;
}

/** A remote MCP server. */
export interface Remote {
  readonly pending: number;
  /** Passes one line on. What cannot be delivered is answered; never rejects. */
  send(line: ClientLine): Promise<void>;
  close(): Promise<void>;
}

/** Number of JSON-RPC errors that a server may define for itself. */
const SERVER_FAULT = -32_000;

/** Answers a request that did not get through. */
export function faultAnswer(id: RequestId, text: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: SERVER_FAULT, message: text } });
}

/** One message as one line: a body may be laid out over several. */
export function oneLine(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : undefined;
  } catch {
    // Not a message; the caller says so.
    return undefined;
  }
}

/** A cause in a few words, without addresses that may hold a token. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
