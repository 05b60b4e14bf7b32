// Keeps the token with which requests go to the GNS3 server: by login and renewed, or one that was given and ends.
import * as z from 'zod';
import { AppError, appError } from '../../../src-shared/errors.ts';
import type { Clock } from '../clock.ts';
import type { SecretNet } from '../core.ts';
import { faultOf } from './faults.ts';
import { exchange } from './http.ts';
import type { Gns3Address } from './http.ts';
import { expiryOf } from './jwt.ts';

/** A token is renewed when this part of its life is over. */
const LIFE_USED = 0.9;
/** A login that was refused is not tried again for so long: the server's answer is slow on purpose, and accounts get locked. Milliseconds. */
const REFUSED_MS = 30_000;
/** The server hashes passwords slowly on purpose. Milliseconds. */
const LOGIN_MS = 60_000;

const LOGIN = { method: 'POST', path: '/v3/access/users/authenticate' } as const;

/** Where requests get their token from. */
export interface TokenSource {
  /** The token to use now. Rejects with GNS3_AUTH when there is none. */
  token(): Promise<string>;
  /** Another one in place of one that the server refused; many at once cause one login. */
  renew(refused: string): Promise<string>;
}

/** What a login needs. */
export interface LoginOptions {
  readonly address: Gns3Address;
  readonly username: string;
  readonly password: string;
  readonly clock: Clock;
  readonly secrets: SecretNet;
}

/** Logs in when a token is first needed, and again when it has expired or was refused. */
export function loginTokens(options: LoginOptions): TokenSource {
  const { clock } = options;
  let current: { readonly token: string; readonly renewAt: number } | undefined;
  let pending: Promise<string> | undefined;
  let refusal: { readonly error: Error; readonly until: number } | undefined;

  const login = async (): Promise<string> => {
    if (refusal !== undefined && clock.now() < refusal.until) throw refusal.error;
    try {
      const token = await authenticate(options);
      options.secrets.learn(token);
      current = { token, renewAt: renewalOf(token, clock.now()) };
      return token;
    } catch (error) {
      if (error instanceof AppError && error.code === 'GNS3_AUTH') refusal = { error, until: clock.now() + REFUSED_MS };
      throw error;
    }
  };
  const loginOnce = (): Promise<string> =>
    (pending ??= login().finally(() => {
      pending = undefined;
    }));
  return {
    token: async () => (current !== undefined && clock.now() < current.renewAt ? current.token : loginOnce()),
    renew: async (refused) => (current !== undefined && current.token !== refused ? current.token : loginOnce()),
  };
}

/** One that seems to have expired already comes from a server whose clock is off: there, only a refusal tells. */
function renewalOf(token: string, now: number): number {
  const life = (expiryOf(token) ?? Infinity) - now;
  return life > 0 ? now + life * LIFE_USED : Infinity;
}

/** A token that somebody else got and that cannot be renewed here. */
export function givenToken(token: string, clock: Clock): TokenSource {
  const expiresAt = expiryOf(token) ?? Infinity;
  return {
    async token() {
      if (clock.now() >= expiresAt)
        throw ended('expired', `The token of this connection expired at ${new Date(expiresAt).toISOString()}`);
      return token;
    },
    async renew() {
      throw ended('token-refused', 'The GNS3 server does not accept the token of this connection any more');
    },
  };
}

function ended(reason: string, message: string): Error {
  const hint = 'Get a new token from /v3/access/users/authenticate and connect again with it.';
  return appError('GNS3_AUTH', { message, hint, details: { reason } });
}

const loginSchema = z.object({ access_token: z.string().min(1) });

async function authenticate({ address, username, password }: LoginOptions): Promise<string> {
  if (password === '') {
    throw appError('GNS3_AUTH', { message: 'GNS3_PASSWORD is not set', details: { reason: 'no-password' } });
  }
  const answer = await exchange(address, { ...LOGIN, body: { username, password }, silenceMs: LOGIN_MS });
  if (answer.status === 401) {
    const message = `The GNS3 server does not accept the password of the user ${username}`;
    throw appError('GNS3_AUTH', { message, details: { reason: 'login-refused', username } });
  }
  if (answer.status !== 200) throw faultOf(LOGIN, answer);
  const parsed = loginSchema.safeParse(jsonOf(answer.text));
  if (!parsed.success) throw appError('GNS3_FAULT', { message: 'The GNS3 server answered a login without a token' });
  return parsed.data.access_token;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is no JSON has no token either.
    return undefined;
  }
}
