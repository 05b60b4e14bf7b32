// Tells listeners of something that is no state.

export interface Emitter<Payload> {
  emit(payload: Payload): void;
  /** Returns the way to stop listening. */
  on(listener: (payload: Payload) => void): () => void;
}

/** Makes one. */
export function createEmitter<Payload>(): Emitter<Payload> {
  const listeners = new Set<(payload: Payload) => void>();
  return {
    emit: (payload) => {
      for (const listener of listeners) listener(payload);
    },
    on: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
