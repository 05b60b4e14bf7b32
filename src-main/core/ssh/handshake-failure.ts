// Turns what goes wrong between the first byte and the login into errors with a reason of their own.
import type { AppError } from '../../../src-shared/errors.ts';
import { appError } from '../../../src-shared/errors.ts';
import { faultText } from './network-failure.ts';
import { shownBytes } from './printable.ts';
import type { Where } from './where.ts';
import { hostAndPort, whereDetails } from './where.ts';

/** What a host offered in the key exchange, by kind, such as `KEX method`. */
export type Offer = ReadonlyMap<string, string>;

/** Something else than SSH came, or nothing before the end. */
export function notSsh(where: Where, came: Uint8Array): AppError {
  if (came.length === 0) return closedInHandshake(where, 'before it sent anything');
  const sent = shownBytes(came);
  return appError('CONNECTION_ERROR', {
    message: `${hostAndPort(where)} is not an SSH server: it sent "${sent}"`,
    hint: 'Check the port: SSH usually listens on 22.',
    details: { reason: 'not_ssh', ...whereDetails(where), received: sent },
  });
}

/** A server that speaks only the first version of the protocol. */
export function oldProtocol(where: Where, line: string): AppError {
  return appError('CONNECTION_ERROR', {
    message: `${hostAndPort(where)} speaks only an old SSH protocol ("${shownBytes(Buffer.from(line))}")`,
    hint: 'SSH 2 is needed; update the SSH server of this host.',
    details: { reason: 'old_protocol', ...whereDetails(where) },
  });
}

/** The server ended the connection while keys were exchanged. */
export function closedInHandshake(where: Where, when = 'during the SSH handshake'): AppError {
  return appError('CONNECTION_ERROR', {
    message: `${hostAndPort(where)} closed the connection ${when}`,
    hint: 'The server may limit connections or block this address; look at its log, or try again later.',
    details: { reason: 'closed_in_handshake', ...whereDetails(where) },
  });
}

/** The fault that ssh2 reports before the login begins. */
export function handshakeFailure(where: Where, error: unknown, offer: Offer): AppError {
  const text = faultText(error);
  const details = whereDetails(where);
  if (/no matching/i.test(text)) return noCommonAlgorithm(where, text, offer);
  if (/lost before handshake/i.test(text)) return closedInHandshake(where);
  if (/signature verification failed/i.test(text)) {
    return appError('CONNECTION_ERROR', {
      message: `${hostAndPort(where)} could not prove that it holds its host key`,
      hint: 'Something between here and the host may tamper with the connection. Tell the person.',
      details: { reason: 'bad_signature', ...details },
    });
  }
  return appError('CONNECTION_ERROR', {
    message: `The SSH handshake with ${hostAndPort(where)} failed: ${text}`,
    details: { reason: 'handshake_failed', ...details },
    cause: error,
  });
}

const KINDS: readonly (readonly [pattern: RegExp, kind: string, word: string])[] = [
  [/key exchange/i, 'KEX method', 'key exchange method'],
  [/host key/i, 'Host key format', 'host key type'],
  [/cipher/i, 'C->S cipher', 'cipher'],
  [/MAC/, 'C->S MAC', 'integrity method'],
  [/compression/i, 'C->S compression', 'compression method'],
];

function noCommonAlgorithm(where: Where, text: string, offer: Offer): AppError {
  const [, kind = '', word = 'algorithm'] = KINDS.find(([pattern]) => pattern.test(text)) ?? [];
  const offered = (offer.get(kind) ?? '')
    .split(',')
    .filter((name) => name !== '' && !/^(ext-info|kex-strict)-/.test(name));
  return appError('CONNECTION_ERROR', {
    message: `${hostAndPort(where)} offers no ${word} that is accepted here; it offers ${offered.join(', ') || 'none'}`,
    hint: 'Old algorithms are refused because they are not safe any more; update the SSH server of this host.',
    details: { reason: 'no_common_algorithm', ...whereDetails(where), kind: word, offered },
  });
}

/** The server hung up with a message of its own. */
export function disconnected(where: Where, error: unknown): AppError {
  return appError('CONNECTION_ERROR', {
    message: `${hostAndPort(where)} ended the connection: ${faultText(error)}`,
    hint: 'Look at the log of the SSH server on that host.',
    details: { reason: 'ended_by_server', ...whereDetails(where) },
  });
}
