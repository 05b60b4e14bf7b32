// When a lost connection is tried again, and when that is given up.
import { AppError } from '../../../src-shared/errors.ts';
import type { Clock } from '../clock.ts';
import { wait } from '../clock.ts';

/** Longest pause between two attempts. */
const MOST_PAUSE_MS = 30_000;
/** Time after which a lost connection is given up. */
export const GIVE_UP_AFTER_MS = 10 * 60_000;

/** What a reconnecting session does and tells. */
export interface ReconnectOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** One attempt; rejects when it fails. */
  readonly attempt: (signal: AbortSignal) => Promise<void>;
  /** The next attempt starts at this moment; `error` is why the last one failed. */
  readonly onPlanned: (retryAt: number, error: unknown) => void;
}

/** How it ended: back after some attempts, given up, or stopped by the signal. */
export type ReconnectOutcome =
  | { readonly kind: 'back'; readonly attempts: number }
  | { readonly kind: 'given-up'; readonly error: unknown }
  | { readonly kind: 'stopped' };

/** Milliseconds before attempt 1, 2, 3, ...: 1, 2, 4, 8, 16, then 30 s. */
export function pauseBefore(attempt: number): number {
  return Math.min(MOST_PAUSE_MS, 1000 * 2 ** Math.min(attempt - 1, 10));
}

/** Tries until the connection is back, for ten minutes. Never rejects. */
export async function reconnect(options: ReconnectOptions): Promise<ReconnectOutcome> {
  const { clock, signal } = options;
  const giveUpAt = clock.now() + GIVE_UP_AFTER_MS;
  let error: unknown = null;
  for (let attempt = 1; ; attempt += 1) {
    const retryAt = clock.now() + pauseBefore(attempt);
    if (retryAt > giveUpAt) return { kind: 'given-up', error };
    options.onPlanned(retryAt, error);
    try {
      await wait(clock, retryAt - clock.now(), signal);
      await options.attempt(signal);
      return { kind: 'back', attempts: attempt };
    } catch (failure) {
      if (signal.aborted) return { kind: 'stopped' };
      if (isHopeless(failure)) return { kind: 'given-up', error: failure };
      error = failure;
    }
  }
}

/** The same again would end the same: the login or the host key is refused. */
function isHopeless(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  // A server that hangs up in the middle of the login has refused nothing: it may be about to restart.
  if (error.code === 'AUTHENTICATION_FAILED') return error.details['reason'] !== 'login_ended';
  return error.code === 'HOST_KEY_CHANGED' || error.code === 'DENIED';
}
