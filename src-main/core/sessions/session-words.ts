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

/** For a call that needs the connection. */
export function lostError(session: string, { status, reason, retryAt }: SessionState): Error {
  return appError('SESSION_LOST', {
    message: `The connection of session "${session}" is lost: ${reason ?? status}`,
    details: { session, status, reason, retryAt },
  });
}
