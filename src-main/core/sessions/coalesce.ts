// Turns many changes into few notices: the first at once, the rest together after a pause.
import type { CancelTimer, Clock } from '../clock.ts';

/** A notice that is given at most once per interval and never lost. */
export interface Coalesced {
  /** Something changed. */
  poke(): void;
  /** Gives what is owed now and then stays silent. */
  close(): void;
}

/** Calls `notify` at once for the first poke and at most every `intervalMs` for those that follow. */
export function coalesce(clock: Clock, intervalMs: number, notify: () => void): Coalesced {
  let timer: CancelTimer | null = null;
  let owed = false;
  let closed = false;
  const rest = (): void => {
    timer = clock.after(intervalMs, () => {
      timer = null;
      if (!owed) return;
      owed = false;
      rest();
      notify();
    });
  };
  return {
    poke() {
      if (closed) return;
      if (timer !== null) {
        owed = true;
        return;
      }
      rest();
      notify();
    },
    close() {
      closed = true;
      timer?.();
      timer = null;
      if (owed) notify();
      owed = false;
    },
  };
}
