// A clock that moves only when the test moves it.
import type { Clock } from '../../src-main/core/clock.ts';

/** A clock with a hand for the test. */
export interface FakeClock extends Clock {
  /** Moves time on and runs what is due, in order. */
  advance(ms: number): void;
  /** Timers that are set now. */
  readonly pending: number;
}

/** Starts at a round time. */
export function createFakeClock(start = 1_000_000): FakeClock {
  let now = start;
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  const next = () => [...timers].toSorted((a, b) => a.at - b.at)[0];
  return {
    now: () => now,
    after(ms, callback) {
      const timer = { at: now + ms, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      const end = now + ms;
      for (let timer = next(); timer !== undefined && timer.at <= end; timer = next()) {
        timers.delete(timer);
        now = timer.at;
        timer.callback();
      }
      now = end;
    },
    get pending() {
      return timers.size;
    },
  };
}
