// Time as the core sees it, so that tests can move it.

/** Ends a timer; calling it again does nothing. */
export type CancelTimer = () => void;

/** The time of day and timers. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls back once after `ms`; the timer alone does not keep the process alive. */
  after(ms: number, callback: () => void): CancelTimer;
}

/** The real clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms`; rejects with the signal's reason when it is aborted first. */
export function wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      cancel();
      reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    };
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
