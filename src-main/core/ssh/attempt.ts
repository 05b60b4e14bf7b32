// One try to connect: its time limit, which can stand still, and the one signal that ends all its steps.
import { AppError } from '../../../src-shared/errors.ts';
import { cancelledConnect, timedOut } from './network-failure.ts';
import type { Where } from './where.ts';

/** Bounds a connect. Every step watches `signal`; its reason is the error to reject with. */
export class Attempt {
  readonly where: Where;
  readonly timeoutMs: number;
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal;
  readonly #onCallerAbort = (): void => this.fail(cancelledConnect(this.where));
  #timer: NodeJS.Timeout | undefined;
  #leftMs: number;
  #since = 0;
  #holds = 0;
  #lateError: () => AppError;

  constructor(where: Where, timeoutMs: number, caller: AbortSignal) {
    this.where = where;
    this.timeoutMs = timeoutMs;
    this.#leftMs = timeoutMs;
    this.#caller = caller;
    this.#lateError = () => timedOut(where, timeoutMs, 'did not answer');
    if (caller.aborted) this.#onCallerAbort();
    else caller.addEventListener('abort', this.#onCallerAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Starts the clock. */
  start(): void {
    this.#run();
  }

  /** Says what a time-out from now on means. */
  whenLate(error: () => AppError): void {
    this.#lateError = error;
  }

  /** Ends the attempt; only the first call counts. */
  fail(error: AppError): void {
    this.#controller.abort(error);
  }

  /** Stops the clock while `work` runs, such as a question to a person. */
  async outsideTime<T>(work: () => Promise<T>): Promise<T> {
    this.#holds += 1;
    this.#stop();
    try {
      return await work();
    } finally {
      this.#holds -= 1;
      if (this.#holds === 0) this.#run();
    }
  }

  /** Settles like `work`, but rejects as soon as the attempt has failed. */
  race<T>(work: Promise<T>): Promise<T> {
    const { signal } = this;
    return new Promise<T>((resolve, reject) => {
      const onAbort = (): void => reject(this.reason());
      if (signal.aborted) onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    });
  }

  /** Why the attempt has failed. */
  reason(): AppError {
    const reason: unknown = this.signal.reason;
    return reason instanceof AppError ? reason : cancelledConnect(this.where);
  }

  close(): void {
    this.#stop();
    this.#holds += 1;
    this.#caller.removeEventListener('abort', this.#onCallerAbort);
  }

  #run(): void {
    if (this.#timer !== undefined || this.signal.aborted) return;
    this.#since = performance.now();
    this.#timer = setTimeout(() => this.fail(this.#lateError()), this.#leftMs);
  }

  #stop(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - this.#since));
  }
}
