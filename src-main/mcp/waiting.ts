// Waits for something for a limited time, while the client still waits and hears how it goes.

/** How a wait ended. */
export type WaitEnd = 'done' | 'time' | 'aborted';

/** Sends one progress message; the text is the last line of output, or what is waited for. */
export type SendProgress = (progress: number, message: string) => Promise<void>;

/** Progress while a client waits: silent for one that did not ask. */
export interface Progress {
  /** Tells the client about the wait until the returned function is called. */
  report(message: () => string): () => void;
}

/** Milliseconds between progress messages: clients that watch for them give up after 15 s or more. */
export const PROGRESS_MS = 8_000;

/** Progress that goes nowhere. */
export const NO_PROGRESS: Progress = { report: () => () => undefined };

/** Progress for a client that gave a token; the value is the seconds since the call began and always rises. */
export function createProgress(send: SendProgress, everyMs: number = PROGRESS_MS): Progress {
  const startedAt = performance.now();
  let last = 0;
  return {
    report(message) {
      const timer = setInterval(() => {
        last = Math.max(last + 0.001, Math.round(performance.now() - startedAt) / 1000);
        // A client that is gone is noticed by the wait itself.
        send(last, message()).catch(() => undefined);
      }, everyMs);
      return () => clearInterval(timer);
    },
  };
}

/** What a wait ends with. */
export interface WaitLimits {
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/** Resolves when `done` does, when the time is over, or when the client gives up; leaves no timer and no listener behind. */
export async function waitFor(done: Promise<unknown>, { waitMs, signal }: WaitLimits): Promise<WaitEnd> {
  if (signal.aborted) return 'aborted';
  let release = (): void => undefined;
  const limits = new Promise<WaitEnd>((resolve) => {
    const timer = setTimeout(() => resolve('time'), waitMs);
    const onAbort = (): void => resolve('aborted');
    signal.addEventListener('abort', onAbort, { once: true });
    release = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
  });
  try {
    return await Promise.race([done.then((): WaitEnd => 'done'), limits]);
  } finally {
    release();
  }
}
