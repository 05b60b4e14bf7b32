// HTTP requests without time limits on their answers, as event streams need; the built-in fetch ends idle ones.
import http from 'node:http';
import https from 'node:https';

/** Header names with their values. */
export type Headers = Readonly<Record<string, string>>;

/** One request. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: URL;
  readonly headers: Headers;
  readonly body?: Buffer | string;
  readonly signal?: AbortSignal;
}

/** How long making the connection may take. */
const CONNECT_MS = 20_000;
/** Longest answer that is read as a whole, in bytes. */
const BODY_MAX = 64 * 1024 * 1024;

/** Sends it; resolves when the answer's head is there. Rejects with the system's error, or when aborted. */
export function send(request: HttpRequest): Promise<http.IncomingMessage> {
  const { method, url, headers, body, signal } = request;
  const protocol = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const outgoing = protocol.request(url, { method, headers, ...(signal === undefined ? {} : { signal }) }, resolve);
    outgoing.on('error', reject);
    outgoing.on('socket', (socket) => {
      if (!socket.connecting) return;
      const timer = setTimeout(() => outgoing.destroy(new Error('no connection within 20 seconds')), CONNECT_MS);
      socket.once('connect', () => clearTimeout(timer));
      socket.once('close', () => clearTimeout(timer));
    });
    outgoing.end(body);
  });
}

/** The whole body as text. */
export async function readBody(response: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of response) {
    pieces.push(piece);
    size += piece.length;
    if (size > BODY_MAX) throw new Error('the answer of the server is too long');
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Value of a header, or an empty text. */
export function headerOf(response: http.IncomingMessage, name: string): string {
  const value = response.headers[name];
  return typeof value === 'string' ? value : '';
}
