// One HTTP exchange with the GNS3 server: connect, send, read the whole answer, or say why there is none.
import http from 'node:http';
import https from 'node:https';
import { rootCertificates } from 'node:tls';
import type { IncomingMessage } from 'node:http';
import { NoAnswer, unavailable } from './no-answer.ts';

/** Milliseconds within which a connection, TLS included, has to be made. */
const CONNECT_MS = 10_000;
/** Longest answer that is read, in bytes; a list of a thousand nodes has 4 MB. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** Where the server is. */
export interface Gns3Address {
  /** `http://host:3080` or `https://host/prefix`, without a slash at its end. */
  readonly base: string;
  /** PEM text of a certificate authority that counts in addition to the known ones. */
  readonly ca?: string;
}

/** One request. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** From the base on, such as `/v3/version`. */
  readonly path: string;
  readonly token?: string;
  /** Bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown;
  /** Milliseconds of silence after which the answer is given up. */
  readonly silenceMs: number;
  /** Milliseconds within which the connection has to be made; tests shorten it. */
  readonly connectMs?: number;
  readonly signal?: AbortSignal;
}

/** An answer, whatever its status. */
export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  readonly location: string | undefined;
}

/** Sends one request; rejects with GNS3_UNAVAILABLE when no answer came. */
export function exchange(address: Gns3Address, request: HttpRequest): Promise<HttpAnswer> {
  const url = new URL(`${address.base}${request.path}`);
  const payload = payloadOf(request.body);
  const options = {
    method: request.method,
    headers: headersOf(request, payload),
    // The server closes idle connections after 5 s: a connection of its own for each request is never a dead one.
    agent: false as const,
    ...(request.signal === undefined ? {} : { signal: request.signal }),
    ...(address.ca === undefined ? {} : { ca: [...rootCertificates, address.ca] }),
  };
  return new Promise((resolve, reject) => {
    const sent = url.protocol === 'https:' ? https.request(url, options) : http.request(url, options);
    const fail = (error: unknown): void => {
      sent.destroy();
      reject(unavailable(address.base, error));
    };
    const connecting = setTimeout(() => fail(new NoAnswer('timeout')), request.connectMs ?? CONNECT_MS);
    sent.once('socket', (socket) => {
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(connecting));
    });
    sent.setTimeout(request.silenceMs, () => fail(new NoAnswer('silence')));
    sent.once('close', () => clearTimeout(connecting));
    sent.once('error', fail);
    sent.once('response', (answer) => void read(answer).then(resolve, fail));
    sent.end(payload?.bytes);
  });
}

interface Payload {
  readonly type: string;
  readonly bytes: Buffer;
}

function payloadOf(body: unknown): Payload | undefined {
  if (body === undefined) return undefined;
  if (Buffer.isBuffer(body)) return { type: 'application/octet-stream', bytes: body };
  return { type: 'application/json', bytes: Buffer.from(JSON.stringify(body)) };
}

function headersOf({ token }: HttpRequest, payload: Payload | undefined): http.OutgoingHttpHeaders {
  return {
    accept: 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(payload === undefined ? {} : { 'content-type': payload.type, 'content-length': payload.bytes.length }),
  };
}

async function read(answer: IncomingMessage): Promise<HttpAnswer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of answer) {
    if (!Buffer.isBuffer(piece)) continue;
    bytes += piece.length;
    if (bytes > MAX_ANSWER_BYTES) throw new NoAnswer('too-long');
    pieces.push(piece);
  }
  const text = Buffer.concat(pieces).toString('utf8');
  return { status: answer.statusCode ?? 0, text, location: answer.headers.location };
}
