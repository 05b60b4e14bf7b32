// A small typed event source, so that parts tell each other what happened without knowing each other.

/** Ends a subscription; calling it again does nothing. */
export type Unsubscribe = () => void;

/** Events by name with their payloads. A listener that throws does not stop the others: the error goes to `onFault`. */
export class Emitter<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<(payload: never) => void>>();
  readonly #onFault: (error: unknown) => void;

  constructor(onFault: (error: unknown) => void = reportLater) {
    this.#onFault = onFault;
  }

  on<Name extends keyof Events>(name: Name, listener: (payload: Events[Name]) => void): Unsubscribe {
    const set = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, set);
    set.add(listener);
    return () => set.delete(listener);
  }

  emit<Name extends keyof Events>(name: Name, payload: Events[Name]): void {
    const set = this.#listeners.get(name);
    if (set === undefined) return;
    for (const listener of [...set]) {
      try {
        // The map keeps each listener under the name whose payload it takes, so this border is safe.
        (listener as (payload: Events[Name]) => void)(payload);
      } catch (error) {
        this.#onFault(error);
      }
    }
  }

  clear(): void {
    this.#listeners.clear();
  }
}

/** A fault in a listener is a bug: it surfaces as an uncaught error, outside the emitting call. */
function reportLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
