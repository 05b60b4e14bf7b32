// The present moment for everything that counts on screen: one timer for all, and none while the page is hidden.
import { createStore } from 'zustand/vanilla';

const TICK_MS = 1000;

/** Makes the store; `now` is in epoch milliseconds. */
export function createClockStore() {
  const store = createStore<{ readonly now: number }>(() => ({ now: Date.now() }));
  const tick = (): void => {
    if (!document.hidden) store.setState({ now: Date.now() });
  };
  setInterval(tick, TICK_MS);
  document.addEventListener('visibilitychange', tick);
  return store;
}
