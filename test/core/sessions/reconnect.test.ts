// The plan by which a lost connection is tried again, with a clock that the test moves.
import { describe, expect, it } from 'vitest';
import { appError } from '../../../src-shared/errors.ts';
import { GIVE_UP_AFTER_MS, pauseBefore, reconnect } from '../../../src-main/core/sessions/reconnect.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

/** Lets promises that are ready go on. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function start(attempt: (n: number) => Promise<void>) {
  const clock = createFakeClock(0);
  const stop = new AbortController();
  const planned: number[] = [];
  let attempts = 0;
  const outcome = reconnect({
    clock,
    signal: stop.signal,
    attempt: () => attempt((attempts += 1)),
    onPlanned: (retryAt) => planned.push(retryAt),
  });
  return { clock, stop, planned, outcome };
}

const down = () => Promise.reject(appError('NETWORK_ERROR'));

describe('reconnect', () => {
  it('waits 1, 2, 4, 8, 16, then 30 seconds', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 100].map(pauseBefore)).toEqual([
      ...[1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000],
    ]);
  });

  it('is back at the first attempt that works', async () => {
    const { clock, planned, outcome } = start((n) => (n < 3 ? down() : Promise.resolve()));
    for (let i = 0; i < 10; i += 1) {
      await settle();
      clock.advance(1000);
    }
    expect(await outcome).toEqual({ kind: 'back', attempts: 3 });
    expect(planned).toEqual([1000, 3000, 7000]);
  });

  it('gives up after ten minutes with the last reason', async () => {
    const { clock, planned, outcome } = start(down);
    for (let i = 0; i < 700; i += 1) {
      await settle();
      clock.advance(1000);
    }
    expect(await outcome).toMatchObject({ kind: 'given-up', error: { code: 'NETWORK_ERROR' } });
    expect(planned.at(-1)).toBeGreaterThan(GIVE_UP_AFTER_MS - 31_000);
    expect(planned.at(-1)).toBeLessThanOrEqual(GIVE_UP_AFTER_MS);
    expect(clock.pending).toBe(0);
  });

  it.each(['AUTHENTICATION_FAILED', 'HOST_KEY_CHANGED', 'DENIED'] as const)('does not repeat %s', async (code) => {
    const { clock, outcome } = start(() => Promise.reject(appError(code)));
    clock.advance(1000);
    expect(await outcome).toMatchObject({ kind: 'given-up', error: { code } });
  });

  it.each(['wrong_password', 'key_refused', 'method_missing', 'too_many_tries'])(
    'does not repeat a login that was refused: %s',
    async (reason) => {
      const refused = appError('AUTHENTICATION_FAILED', { details: { reason } });
      const { clock, outcome } = start(() => Promise.reject(refused));
      clock.advance(1000);
      expect(await outcome).toEqual({ kind: 'given-up', error: refused });
    },
  );

  it('goes on when the server hangs up in the middle of the login', async () => {
    const ended = appError('AUTHENTICATION_FAILED', { details: { reason: 'login_ended' } });
    const { clock, planned, outcome } = start((n) => (n < 3 ? Promise.reject(ended) : Promise.resolve()));
    for (let i = 0; i < 10; i += 1) {
      await settle();
      clock.advance(1000);
    }
    expect(await outcome).toEqual({ kind: 'back', attempts: 3 });
    expect(planned).toEqual([1000, 3000, 7000]);
  });

  it('stops at once when it is stopped, while waiting or in an attempt', async () => {
    const waiting = start(down);
    waiting.stop.abort();
    expect(await waiting.outcome).toEqual({ kind: 'stopped' });
    expect(waiting.clock.pending).toBe(0);
    const trying = start(async () => {
      trying.stop.abort();
      throw appError('SESSION_LOST');
    });
    trying.clock.advance(1000);
    expect(await trying.outcome).toEqual({ kind: 'stopped' });
  });
});
