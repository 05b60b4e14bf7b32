// Says why no answer came from the GNS3 server, in words that tell a person what to look at.
import { appError } from '../../../src-shared/errors.ts';
import { errorCode } from '../config/system-error.ts';

/** Why there is no answer where the system has no error for it. */
export type NoAnswerReason = 'timeout' | 'silence' | 'too-long';

/** A failure that the system has no error for. */
export class NoAnswer extends Error {
  constructor(readonly reason: NoAnswerReason) {
    super(reason);
  }
}

interface Cause {
  readonly reason: string;
  readonly words: string;
  readonly hint?: string;
}

const CA_HINT = 'Ask the person to set GNS3_CA_FILE to the authority that signed the certificate of the server.';

const OWN: Readonly<Record<NoAnswerReason, Cause>> = {
  timeout: { reason: 'timeout', words: 'no connection could be made in time' },
  silence: { reason: 'silence', words: 'the server took the request and did not answer in time' },
  'too-long': { reason: 'too-long', words: 'the answer is longer than Patchbay reads' },
};

const SYSTEM: Readonly<Record<string, Cause>> = {
  ECONNREFUSED: { reason: 'refused', words: 'nothing listens there' },
  ENOTFOUND: { reason: 'unresolvable', words: 'the host name is not known' },
  EAI_AGAIN: { reason: 'unresolvable', words: 'the host name cannot be looked up now' },
  EHOSTUNREACH: { reason: 'no-route', words: 'there is no route to the host' },
  ENETUNREACH: { reason: 'no-route', words: 'there is no route to the network' },
  ETIMEDOUT: { reason: 'timeout', words: 'no connection could be made in time' },
  ECONNRESET: { reason: 'reset', words: 'the connection was closed before the whole answer came' },
  EPIPE: { reason: 'reset', words: 'the connection was closed before the whole answer came' },
  CERT_HAS_EXPIRED: { reason: 'tls', words: 'the certificate of the server has expired' },
  ERR_TLS_CERT_ALTNAME_INVALID: { reason: 'tls', words: 'the certificate of the server is for another name' },
  DEPTH_ZERO_SELF_SIGNED_CERT: { reason: 'tls', words: 'the certificate of the server signs itself', hint: CA_HINT },
  SELF_SIGNED_CERT_IN_CHAIN: { reason: 'tls', words: 'the certificate authority is not known', hint: CA_HINT },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: { reason: 'tls', words: 'the certificate authority is not known', hint: CA_HINT },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: { reason: 'tls', words: 'the certificate authority is not known', hint: CA_HINT },
  EPROTO: {
    reason: 'tls',
    words: 'the server does not speak TLS there',
    hint: 'Ask the person whether GNS3_URL should begin with http:// instead.',
  },
  HPE_INVALID_CONSTANT: { reason: 'not-http', words: 'what listens there does not speak HTTP' },
};

/** The error for a request that got no answer. An aborted request keeps its own error. */
export function unavailable(base: string, error: unknown): Error {
  if (error instanceof Error && error.name === 'AbortError') return error;
  const { reason, words, hint } = causeOf(error);
  return appError('GNS3_UNAVAILABLE', {
    message: `The GNS3 server at ${base} cannot be used: ${words}`,
    details: { reason, server: base },
    ...(hint === undefined ? {} : { hint }),
    cause: error,
  });
}

function causeOf(error: unknown): Cause {
  if (error instanceof NoAnswer) return OWN[error.reason];
  const code = errorCode(error) ?? '';
  const known = SYSTEM[code];
  if (known !== undefined) return known;
  if (code.startsWith('HPE_')) return { reason: 'not-http', words: 'what listens there does not speak HTTP' };
  if (code.startsWith('ERR_SSL')) return SYSTEM['EPROTO'] ?? { reason: 'tls', words: code };
  return { reason: 'network', words: code === '' ? 'the request failed' : `the request failed (${code})` };
}
