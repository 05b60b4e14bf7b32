// Turns faults of the network into errors a person understands: one reason and one sentence for each.
import type { AppError } from '../../../src-shared/errors.ts';
import { appError } from '../../../src-shared/errors.ts';
import { cleanLine } from './printable.ts';
import type { Where } from './where.ts';
import { hostAndPort, whereDetails } from './where.ts';

type Reason = 'refused' | 'unresolvable' | 'no_route' | 'timeout' | 'reset' | 'socket';

const REASONS: Readonly<Record<string, Reason>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unresolvable',
  EAI_AGAIN: 'unresolvable',
  EAI_FAIL: 'unresolvable',
  EAI_NODATA: 'unresolvable',
  EAI_NONAME: 'unresolvable',
  ENODATA: 'unresolvable',
  EHOSTUNREACH: 'no_route',
  ENETUNREACH: 'no_route',
  EHOSTDOWN: 'no_route',
  ENETDOWN: 'no_route',
  EADDRNOTAVAIL: 'no_route',
  EACCES: 'no_route',
  EPERM: 'no_route',
  ETIMEDOUT: 'timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ECONNABORTED: 'reset',
};

const SENTENCES: Readonly<Record<Reason, (where: Where) => string>> = {
  refused: (where) => `${hostAndPort(where)} refused the connection: nothing listens on this port`,
  unresolvable: ({ host }) => `The host name ${host} cannot be resolved to an address`,
  no_route: (where) => `There is no route to ${hostAndPort(where)} from this computer`,
  timeout: (where) => `${hostAndPort(where)} did not answer in time`,
  reset: (where) => `${hostAndPort(where)} reset the connection before the login was done`,
  socket: (where) => `The connection to ${hostAndPort(where)} failed`,
};

const HINTS: Readonly<Record<Reason, string>> = {
  refused: 'Check the port, and that an SSH server runs on the host.',
  unresolvable: 'Check the spelling of the host name, or give its address.',
  no_route: 'Check the address, the network and any VPN.',
  timeout: 'Check host and port and whether a firewall is between; SSH_TIMEOUT sets how long to wait.',
  reset: 'Try again; if it stays, look at the server’s log and its access rules.',
  socket: 'Check host, port and network, then call again.',
};

/** The NETWORK_ERROR for a fault of the socket or of the name look-up. */
export function networkFailure(where: Where, error: unknown): AppError {
  const code = errorCode(error);
  const reason = REASONS[code] ?? 'socket';
  return appError('NETWORK_ERROR', {
    message: reason === 'socket' ? `${SENTENCES.socket(where)}: ${faultText(error)}` : SENTENCES[reason](where),
    hint: HINTS[reason],
    details: { reason, ...whereDetails(where), ...(code === '' ? {} : { systemCode: code }) },
    cause: error,
  });
}

/** The NETWORK_ERROR for a time-out of ours; `what` says what did not happen, such as "did not answer". */
export function timedOut(where: Where, timeoutMs: number, what: string): AppError {
  return appError('NETWORK_ERROR', {
    message: `${hostAndPort(where)} ${what} within ${timeoutMs / 1000} s`,
    hint: HINTS.timeout,
    details: { reason: 'timeout', ...whereDetails(where), timeoutMs },
  });
}

/** What a connect rejects with when its caller has given up. */
export function cancelledConnect(where: Where): AppError {
  return appError('NETWORK_ERROR', {
    message: `The connect to ${hostAndPort(where)} was cancelled`,
    hint: 'Call ssh_connect again when the connection is wanted.',
    details: { reason: 'cancelled', ...whereDetails(where) },
  });
}

/** The system's code of an error; where several addresses were tried, that of the most telling attempt. */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) {
    // A refusal says more than the missing route of another address family.
    const codes = error.errors.map(errorCode);
    return (
      codes.find((code) => code === 'ECONNREFUSED') ?? codes.find((code) => code === 'ETIMEDOUT') ?? codes[0] ?? ''
    );
  }
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The words of a fault, short and on one line. */
export function faultText(error: unknown): string {
  return cleanLine(error instanceof Error ? error.message : 'unknown fault');
}
