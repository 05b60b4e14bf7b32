// Says why a server does not give a channel.
import type { AppError } from '../../../src-shared/errors.ts';
import { appError } from '../../../src-shared/errors.ts';
import { faultText } from './network-failure.ts';
import type { Where } from './where.ts';
import { hostAndPort, whereDetails } from './where.ts';

// RFC 4254 section 5.1: only "unknown channel type" is about the kind of channel; the others are limits or policy.
const UNKNOWN_CHANNEL_TYPE = 3;

/** The UNSUPPORTED error for a refused channel, exec request, shell or PTY. */
export function channelRefused(where: Where, kind: 'exec' | 'shell', error: Error): AppError {
  const openFailure = 'reason' in error && typeof error.reason === 'number' ? error.reason : null;
  const details = { ...whereDetails(where), fault: faultText(error) };
  if (openFailure !== null && openFailure !== UNKNOWN_CHANNEL_TYPE) {
    return appError('UNSUPPORTED', {
      message: `${hostAndPort(where)} gives no further channel on this connection`,
      hint: 'Another terminal or command channel has to be closed first; some devices allow only one.',
      details: { reason: 'channel_limit', ...details },
    });
  }
  if (kind === 'exec') {
    return appError('UNSUPPORTED', {
      message: `${hostAndPort(where)} does not run single commands: it has no POSIX shell to offer`,
      details: { reason: 'exec_refused', ...details },
    });
  }
  return appError('UNSUPPORTED', {
    message: `${hostAndPort(where)} does not open a terminal`,
    hint: 'Use ssh_exec, if the host runs commands.',
    details: { reason: 'shell_refused', ...details },
  });
}
