// Reads the line that opens a TCP connection, `AUTH <token>`, and refuses everything else with one clear line.
import type { Socket } from 'node:net';
import type { Log } from '../core/core.ts';
import { fingerprint } from './fingerprint.ts';
import { LineReader } from './line-reader.ts';
import { sameToken } from './token.ts';

/** Longest opening line in bytes; a token has 43. */
const MAX_BYTES = 512;
/** Milliseconds within which it has to be there. */
const OPENING_MS = 10_000;
/** JSON-RPC code of a refusal, in the range that the protocol leaves to servers. */
const REFUSED = -32_001;

/** What is needed to open a connection. */
export interface OpeningOptions {
  readonly token: () => string;
  readonly log: Log;
  readonly openingMs?: number;
}

/** A connection whose token was right. */
export interface OpenedConnection {
  /** Bytes that came behind the line. */
  readonly rest: Buffer;
  /** The other end is our bridge, which speaks for a stdio client. */
  readonly bridge: boolean;
}

/** Why a connection is refused: what the other end is told, and what the log adds. */
interface Refusal {
  readonly why: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Resolves with the opened connection (the socket is paused), or with undefined after a refusal or a hang-up. */
export function openConnection(socket: Socket, options: OpeningOptions): Promise<OpenedConnection | undefined> {
  return new Promise((resolve) => {
    const settle = (opened: OpenedConnection | undefined): void => {
      clearTimeout(timer);
      socket.pause();
      socket.off('data', onData);
      socket.off('close', onClose);
      socket.off('end', onEnd);
      resolve(opened);
    };
    const turnAway = (refusal: Refusal): void => {
      settle(undefined);
      refuse(socket, refusal, options.log);
    };
    const reader = new LineReader(MAX_BYTES, {
      onLine: (line) => {
        reader.pause();
        const read = readOpening(line.toString('latin1'), options.token());
        if ('why' in read) turnAway({ ...read, details: fingerprint(line) });
        else queueMicrotask(() => settle({ rest: reader.takeRest(), bridge: read.bridge }));
      },
      onTooLong: (bytes) => turnAway({ why: TOO_LONG, details: { bytes } }),
    });
    const onData = (chunk: Buffer): void => {
      reader.push(chunk);
      if (reader.pending > MAX_BYTES) turnAway({ why: TOO_LONG, details: { bytes: reader.pending } });
    };
    const onClose = (): void => settle(undefined);
    const onEnd = (): void => turnAway({ why: 'the connection ended before a token came' });
    const timer = setTimeout(() => turnAway({ why: 'no token came in time' }), options.openingMs ?? OPENING_MS);
    socket.on('data', onData);
    socket.on('close', onClose);
    socket.on('end', onEnd);
  });
}

const TOO_LONG = 'the first line is too long for "AUTH <token>"';

function readOpening(line: string, token: string): Refusal | { readonly bridge: boolean } {
  if (/ HTTP\/\d/.test(line))
    return { why: 'this port does not speak HTTP; the HTTP endpoint is at /mcp of the monitor address' };
  const [word, given, ...about] = line.trim().split(' ');
  if (word !== 'AUTH' || given === undefined) return { why: 'the first line has to be "AUTH <token>"' };
  return sameToken(given, token) ? { bridge: about[0] === 'bridge' } : { why: 'the token is wrong' };
}

function refuse(socket: Socket, { why, details }: Refusal, log: Log): void {
  log.warn('MCP connection refused', { why, ...details });
  const answer = { jsonrpc: '2.0', id: null, error: { code: REFUSED, message: `Refused: ${why}` } };
  // What still comes is thrown away; without reading it the system would answer with a reset and lose our line.
  socket.resume();
  socket.end(`${JSON.stringify(answer)}\n`);
  const goodbye = setTimeout(() => socket.destroy(), GOODBYE_MS);
  socket.once('close', () => clearTimeout(goodbye));
}

/** Milliseconds that a refused connection has to hang up. */
const GOODBYE_MS = 2_000;
