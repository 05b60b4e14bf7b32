// What a session says to assistants: its errors and notices.
import { appError } from '../../../src-shared/errors.ts';
import type { SessionState } from './session-view.ts';

/** For a command where none can run. */
export function noShell(session: string): Error {
  return appError('UNSUPPORTED', {
    message: `Session "${session}" has no POSIX shell that commands could run in`,
    details: { reason: 'no_posix_shell', session },
  });
}

/** For a connection that ends while the shell is started. */
export function endedAfterLogin(cause?: unknown): Error {
  return appError('CONNECTION_ERROR', {
    message: 'The server ended the connection right after the login',
    hint: 'Check that this account may log in on that host, and whether the host allows a shell.',
    details: { reason: 'closed_after_login' },
    cause,
  });
}

/** What the assistant hears when the person gives the session back; `note` is clean and trimmed. */
export function returnedNotice(note: string): string {
  const what = 'The person at the desk had taken over this session and has handed it back';
  return note === '' ? `${what}.` : `${what}, with this note: ${note}`;
}

/** What the assistant hears after a reconnect; `problem` is what could not be restored. */
export function backNotice(reason: string, hasShell: boolean, problem: string | null): string {
  const shell = hasShell
    ? ' Directory and exported variables were restored in a new shell; background jobs and the rest are gone.'
    : '';
  return `The connection was lost (${reason}) and has been made again.${shell}${problem === null ? '' : ` ${problem}`}`;
}

/** Why a session waits after a restart. */
export const WAITING_REASON = 'Patchbay was started anew while a durable command ran here';

/** For a call that needs the connection. */
export function lostError(session: string, { status, reason, retryAt }: SessionState): Error {
  if (status === 'needs_connect') return needsConnect(session, reason);
  return appError('SESSION_LOST', {
    message: `The connection of session "${session}" is lost: ${reason ?? status}`,
    details: { session, status, reason, retryAt },
  });
}

function needsConnect(session: string, reason: string | null): Error {
  return appError('SESSION_LOST', {
    message: `Session "${session}" is not connected: ${reason ?? 'the connection is lost'}`,
    hint: 'Call ssh_connect with the same name, host and user; its durable commands then go on in this session.',
    details: { session, status: 'needs_connect', reason },
  });
}

/** For an attempt to come back to a session by another way than it was left. */
export function otherTarget(session: string, was: string, given: string): Error {
  return appError('INVALID_PARAMS', {
    message: `Session "${session}" has a durable command on ${was}, so it cannot be connected to ${given}`,
    hint: `Connect to ${was}, or choose another name; ssh_disconnect gives the durable command up.`,
    details: { field: 'host', session, expected: was },
  });
}

/** For a host that shows another key than the one on which the durable command was started. */
export function otherKey(session: string, was: string, now: string): Error {
  return appError('HOST_KEY_CHANGED', {
    message: `The host of session "${session}" has another key than when its durable command was started: ${was} then, ${now} now`,
    details: { reason: 'durable', session, stored: was, offered: now },
  });
}
