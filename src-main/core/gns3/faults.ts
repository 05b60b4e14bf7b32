// Turns an answer of the GNS3 server that is no success into the one error of ours that it means.
import * as z from 'zod';
import { appError } from '../../../src-shared/errors.ts';
import type { ErrorCode, ErrorExtras } from '../../../src-shared/errors.ts';
import type { HttpAnswer } from './http.ts';

/** Characters of the server's words that are handed on: some carry the log of a whole process. */
const MAX_WORDS = 600;

const bodySchema = z.object({ message: z.string().optional(), detail: z.string().optional() });

/** What was asked, for the error's details. */
export interface Asked {
  readonly method: string;
  readonly path: string;
}

/** The error for an answer with a status of 300 or more. */
export function faultOf(asked: Asked, answer: HttpAnswer): Error {
  const words = wordsOf(answer.text);
  const { code, extras } = meaningOf(answer.status, words);
  const message = words === '' ? {} : { message: `GNS3: ${words}` };
  const details = { status: answer.status, request: `${asked.method} ${asked.path}`, ...extras.details };
  return appError(code, { ...message, ...extras, details });
}

interface Meaning {
  readonly code: ErrorCode;
  readonly extras: ErrorExtras;
}

function meaningOf(status: number, words: string): Meaning {
  switch (status) {
    case 401:
      return { code: 'GNS3_AUTH', extras: because('token-refused') };
    case 403:
      return forbidden(words);
    case 404:
    case 405:
      // Unknown routes are answered by the framework, in its own words.
      return /^(Not Found|Method Not Allowed)$/.test(words)
        ? {
            code: 'GNS3_FAULT',
            extras: { ...because('no-such-route'), message: 'This GNS3 server does not know the request', retry: 'no' },
          }
        : { code: 'GNS3_NOT_FOUND', extras: because('not-found') };
    case 409:
      return { code: 'GNS3_CONFLICT', extras: because('refused') };
    case 400:
    case 422:
      return { code: 'INVALID_PARAMS', extras: because('refused-by-server') };
    case 502:
    case 503:
    case 504:
      return { code: 'GNS3_UNAVAILABLE', extras: because('behind-proxy') };
    default:
      return { code: 'GNS3_FAULT', extras: because(status === 408 ? 'compute-timeout' : 'server-error') };
  }
}

function forbidden(words: string): Meaning {
  if (/project is not opened/i.test(words)) {
    const hint = 'Open the project with open_project, then call again.';
    return { code: 'GNS3_CONFLICT', extras: { ...because('project-closed'), hint } };
  }
  const privilege = /privilege ([\w.]+)/.exec(words)?.[1];
  if (privilege === undefined)
    return { code: 'GNS3_FORBIDDEN', extras: { ...because('refused'), hint: 'Do not repeat the call unchanged.' } };
  return { code: 'GNS3_FORBIDDEN', extras: { details: { reason: 'privilege', privilege } } };
}

const because = (reason: string): ErrorExtras => ({ details: { reason } });

/** What the server said: `message`, else `detail`, else the text itself. */
function wordsOf(text: string): string {
  return short(plain(bodyWords(text)));
}

function bodyWords(text: string): string {
  try {
    const { message, detail } = bodySchema.parse(JSON.parse(text));
    return message ?? detail ?? text;
  } catch {
    // Unhandled faults are answered in plain text, and proxies answer pages.
    return /^\s*</.test(text) ? '' : text;
  }
}

/** A validation message is a Python list behind which the place in the server's source stands: only place and reason are kept. */
function plain(words: string): string {
  const issues = [...words.matchAll(/'loc': \(([^)]*)\), 'msg': (?:'([^']*)'|"([^"]*)")/g)].map((match) => {
    const place = (match[1] ?? '')
      .replaceAll("'", '')
      .split(/,\s*/)
      .filter((part) => part !== '' && !/^(body|path|query)$/.test(part));
    return `${place.join('.')}: ${match[2] ?? match[3] ?? ''}`;
  });
  return issues.length > 0 ? issues.join('; ') : words.replace(/\n\s*File "[\s\S]*$/, '').trim();
}

const short = (words: string): string =>
  words.length <= MAX_WORDS ? words : `${words.slice(0, MAX_WORDS)} ... (${words.length} characters)`;
