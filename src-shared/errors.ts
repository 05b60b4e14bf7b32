// The table of every error that a client or a person can meet, and the one way to throw them.

/** Whether repeating the call can help: never, unchanged, or after something was changed. */
export type Retry = 'no' | 'same' | 'after-change';

interface ErrorRow {
  /** What happened, for a person; used when the thrower gives no sentence of its own. */
  readonly message: string;
  /** What to do next; used when the thrower gives no hint of its own. */
  readonly hint: string;
  readonly retry: Retry;
}

/** Every code, its default sentence, its default next step. The reference in `docs/errors.md` is made from it. */
export const ERRORS = {
  INVALID_PARAMS: {
    message: 'The arguments of this call are not valid',
    hint: 'Correct the arguments named in the message and call again.',
    retry: 'after-change',
  },
  CONNECTION_ERROR: {
    message: 'No SSH connection could be established with this server',
    hint: 'Check that an SSH server listens on this host and port.',
    retry: 'after-change',
  },
  SESSION_NOT_FOUND: {
    message: 'No session has this name',
    hint: 'Call ssh_list_sessions for the names that exist, or ssh_connect to open one.',
    retry: 'after-change',
  },
  AUTHENTICATION_FAILED: {
    message: 'The server refused the login',
    hint: 'Check the username and the credentials.',
    retry: 'after-change',
  },
  NETWORK_ERROR: {
    message: 'The host cannot be reached',
    hint: 'Check host, port and network, then call again.',
    retry: 'same',
  },
  SESSION_EXISTS: {
    message: 'A session with this name exists already',
    hint: 'Use that session, choose another name, or close it with ssh_disconnect.',
    retry: 'after-change',
  },
  SESSION_LIMIT: {
    message: 'The limit of sessions is reached',
    hint: 'Close a session with ssh_disconnect, or ask the person to raise MAX_SESSIONS.',
    retry: 'after-change',
  },
  SESSION_LOST: {
    message: 'The connection of this session is lost',
    hint: 'Call ssh_session_status to see whether it reconnects, or ssh_connect again.',
    retry: 'same',
  },
  HOST_KEY_UNKNOWN: {
    message: 'The host key of this server is not known yet',
    hint: 'Ask the person to trust the key in Patchbay, then call again.',
    retry: 'same',
  },
  HOST_KEY_CHANGED: {
    message: 'The host key of this server is not the one on file',
    hint: 'Tell the person. Nothing was sent to the server. The old key has to be removed by hand before a new one is accepted.',
    retry: 'after-change',
  },
  COMMAND_NOT_FOUND: {
    message: 'No command of this session has this id',
    hint: 'Call ssh_session_status for the ids of recent commands.',
    retry: 'after-change',
  },
  HUMAN_IN_CONTROL: {
    message: 'The person at the desk has taken over this session',
    hint: 'Wait until the session is handed back; reading output and status still works.',
    retry: 'same',
  },
  PAUSED: {
    message: 'The person has paused all assistants',
    hint: 'Wait until the person resumes; reading output and status still works.',
    retry: 'same',
  },
  DENIED: {
    message: 'This call was not allowed',
    hint: 'Read the reason, and do not repeat the call unchanged.',
    retry: 'no',
  },
  UNSUPPORTED: {
    message: 'This session cannot do that',
    hint: 'Use ssh_terminal, which types into the host as a person would.',
    retry: 'no',
  },
  APP_QUIT: {
    message: 'The person has quit Patchbay',
    hint: 'Ask the person to start Patchbay again.',
    retry: 'after-change',
  },
  APP_UNAVAILABLE: {
    message: 'Patchbay is not running or could not be started',
    hint: 'Try again in a few seconds; if it stays, ask the person to look at Patchbay.',
    retry: 'same',
  },
  STORAGE_ERROR: {
    message: 'Patchbay could not store data on its disk',
    hint: 'Free space on the disk that holds the data folder of Patchbay.',
    retry: 'after-change',
  },
  INTERNAL_ERROR: {
    message: 'Patchbay met a fault of its own',
    hint: 'Try again once; if it stays, report it with the log file.',
    retry: 'same',
  },
} as const satisfies Record<string, ErrorRow>;

/** A code of the table. */
export type ErrorCode = keyof typeof ERRORS;

/** What a thrower adds to a code. `details` is shown to assistants: it never holds a secret. */
export interface ErrorExtras {
  /** Own sentence, without the final full stop's next step. */
  readonly message?: string;
  readonly hint?: string;
  readonly retry?: Retry;
  /** Facts to act on: `reason` (a short stable word), session, host, expected arguments. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** The one error that crosses borders; made by {@link appError} only. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
  readonly retry: Retry;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, extras: ErrorExtras = {}) {
    super(extras.message ?? ERRORS[code].message, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.name = 'AppError';
    this.code = code;
    this.hint = extras.hint ?? ERRORS[code].hint;
    this.retry = extras.retry ?? ERRORS[code].retry;
    this.details = extras.details ?? {};
  }
}

/** Makes the error for a code; throw it. */
export function appError(code: ErrorCode, extras: ErrorExtras = {}): AppError {
  return new AppError(code, extras);
}

/** The error as plain data, as it travels to clients (`_meta["patchbay/error"]`) and views. */
export interface ErrorData {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  readonly retry: Retry;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Any thrown value as plain data; what is not an {@link AppError} becomes `INTERNAL_ERROR` without its text. */
export function toErrorData(error: unknown): ErrorData {
  const known = error instanceof AppError ? error : appError('INTERNAL_ERROR');
  const { code, message, hint, retry, details } = known;
  return { code, message, hint, retry, details };
}
