// Holds a new connection's bytes back until the server's whole SSH line is there.
import type net from 'node:net';
import type { AppError } from '../../../src-shared/errors.ts';
import type { Attempt } from './attempt.ts';
import { notSsh, oldProtocol } from './handshake-failure.ts';
import { networkFailure, timedOut } from './network-failure.ts';

/** Our own version line, without its line end. */
export const OUR_IDENT = 'Patchbay';

const NEWLINE = 10;
const NOTICE_LIMIT = 64 * 1024;
const LINE_LIMIT = 8192;
// A client of these speaks first or the greeting is known: waiting for the time-out would tell nothing more.
const OTHER_PROTOCOLS = /^(?:HTTP\/\d|220[ -]|\+OK |\* OK |RFB \d)/;
const TELNET_COMMAND = 0xff;
const TLS_RECORDS = [0x15, 0x16];

/** What a server said before the key exchange. */
export interface Greeting {
  /** Lines before the SSH line. */
  readonly notice: string;
  /** The SSH line without its line end. */
  readonly line: string;
}

/**
 * Sends our version line and waits for the server's. The socket is left paused with the SSH line and all after it
 * unread: ssh2 loses bytes when that line, or notices before it, come in three or more pieces.
 */
export function readGreeting(socket: net.Socket, attempt: Attempt): Promise<Greeting> {
  return new Promise((resolve, reject) => {
    let held: Buffer = Buffer.alloc(0);
    attempt.whenLate(() => lateError(attempt, held));
    const settle = (): void => {
      attempt.signal.removeEventListener('abort', onAbort);
      socket.off('data', onData).off('end', onEnd).off('error', onError).off('close', onEnd);
    };
    const fail = (error: AppError): void => {
      settle();
      reject(error);
    };
    const onAbort = (): void => fail(attempt.reason());
    const onEnd = (): void => fail(notSsh(attempt.where, held));
    const onError = (error: Error): void => fail(networkFailure(attempt.where, error));
    const onData = (bytes: Buffer): void => {
      held = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
      const found = findLine(held);
      if (found === 'other') fail(notSsh(attempt.where, held));
      if (typeof found === 'string') return;
      settle();
      socket.pause();
      socket.unshift(withSoftwareName(held.subarray(found.start), found.line));
      if (/^SSH-(?:2\.0|1\.99)-/.test(found.line)) {
        resolve({ notice: held.toString('utf8', 0, found.start), line: found.line });
      } else reject(oldProtocol(attempt.where, found.line));
    };
    if (attempt.signal.aborted) {
      onAbort();
      return;
    }
    attempt.signal.addEventListener('abort', onAbort, { once: true });
    socket.on('data', onData).once('end', onEnd).once('error', onError).once('close', onEnd);
    socket.write(`SSH-2.0-${OUR_IDENT}\r\n`);
  });
}

/** A version line without a software name is legal enough to accept, but ssh2 does not. */
export function lacksSoftwareName(line: string): boolean {
  return /^SSH-(?:2\.0|1\.99)-(?: |$)/.test(line);
}

function withSoftwareName(bytes: Buffer, line: string): Buffer {
  if (!lacksSoftwareName(line)) return bytes;
  return Buffer.concat([Buffer.from('SSH-2.0-unnamed\r\n'), bytes.subarray(bytes.indexOf(NEWLINE) + 1)]);
}

type Search = { readonly start: number; readonly line: string } | 'more' | 'other';

/** Looks for a complete line that starts with SSH-. */
function findLine(held: Buffer): Search {
  for (let start = 0; start < held.length;) {
    const end = held.indexOf(NEWLINE, start);
    const isSsh = held.toString('latin1', start, start + 4) === 'SSH-';
    if (end >= 0 && isSsh) return { start, line: held.toString('latin1', start, end).replace(/\r$/, '') };
    if (end < 0) return held.length - start > LINE_LIMIT || isOther(held) ? 'other' : 'more';
    start = end + 1;
  }
  return isOther(held) ? 'other' : 'more';
}

function isOther(held: Buffer): boolean {
  const [first = 0, second = 0] = held;
  if (held.length > NOTICE_LIMIT || first === TELNET_COMMAND) return true;
  if (TLS_RECORDS.includes(first) && second === 3) return true;
  return OTHER_PROTOCOLS.test(held.toString('latin1', 0, 16));
}

function lateError(attempt: Attempt, held: Buffer): AppError {
  if (held.length > 0) return notSsh(attempt.where, held);
  return timedOut(attempt.where, attempt.timeoutMs, 'accepted the connection but sent nothing');
}
