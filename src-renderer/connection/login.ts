// How a browser page gets in: the ticket behind its address, or a token that the person pastes.
import * as z from 'zod';
import { PATHS, httpErrorSchema } from '../../src-shared/protocol/index.ts';

/** How an attempt ended. `error` is a sentence for the person. */
export type LoginResult = { readonly ok: true } | { readonly ok: false; readonly error: string };

const TIMEOUT_MS = 10_000;

const SENTENCES: ReadonlyMap<number, string> = new Map([
  [
    401,
    'This token is not valid. The current ones stand in the app under Settings, Monitor page; without a window, start Patchbay once more: it prints them.',
  ],
  [429, 'Too many wrong attempts. Wait a minute, then try again.'],
]);

async function reason(answer: Response): Promise<string> {
  const known = SENTENCES.get(answer.status);
  if (known !== undefined) return known;
  const body = httpErrorSchema.safeParse(await answer.json().catch(() => undefined));
  return body.success ? body.data.error : `Patchbay answered with status ${answer.status}.`;
}

async function post(path: string, body: unknown): Promise<LoginResult> {
  try {
    const answer = await fetch(new URL(path, location.origin), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return answer.ok ? { ok: true } : { ok: false, error: await reason(answer) };
  } catch {
    // fetch says nothing useful about why a host cannot be reached.
    return { ok: false, error: 'Patchbay cannot be reached. Check that it is running, then try again.' };
  }
}

/** Shows a viewer or operator token; the gateway answers with a cookie. */
export function loginWithToken(token: string): Promise<LoginResult> {
  return post(PATHS.LOGIN, { token: token.trim() });
}

const sessionAddress = z.string().regex(/^\/session\/[^/]+$/);

/** The session that the page's address names, or null. */
export function sessionOfAddress(pathname: string): string | null {
  const path = sessionAddress.safeParse(pathname);
  return path.success ? decodeURIComponent(path.data.slice('/session/'.length)) : null;
}

/** Exchanges the ticket behind `#v=`, if there is one, and removes it from the address. */
export async function redeemTicket(): Promise<LoginResult | undefined> {
  const session = sessionOfAddress(location.pathname);
  const ticket = new URLSearchParams(location.hash.slice(1)).get('v');
  if (session === null || ticket === null) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  const result = await post(PATHS.TICKET, { session, ticket });
  if (result.ok) return result;
  return { ok: false, error: 'This link is no longer valid: its session was closed, or its access was renewed.' };
}
