// Short messages at the edge of the screen: what was done, or why it was not.
import { createStore } from 'zustand/vanilla';
import { AppError } from '../../src-shared/errors.ts';

export interface Toast {
  readonly id: number;
  readonly tone: 'done' | 'fault';
  readonly text: string;
  readonly hint: string | null;
}

export interface ToastsState {
  readonly toasts: readonly Toast[];
}

/** Makes the store. */
export const createToastsStore = () => createStore<ToastsState>(() => ({ toasts: [] }));
export type ToastsStore = ReturnType<typeof createToastsStore>;

const DONE_MS = 3000;
const FAULT_MS = 12_000;
const MOST = 4;

let last = 0;

function show(store: ToastsStore, toast: Omit<Toast, 'id'>, forMs: number): void {
  last += 1;
  const id = last;
  store.setState(({ toasts }) => ({ toasts: [...toasts, { ...toast, id }].slice(-MOST) }));
  setTimeout(() => dismissToast(store, id), forMs);
}

/** Says that something was done. */
export function sayDone(store: ToastsStore, text: string): void {
  show(store, { tone: 'done', text, hint: null }, DONE_MS);
}

/** Says why something was not done, and what to do. */
export function sayFault(store: ToastsStore, error: unknown): void {
  const known = error instanceof AppError;
  const text = known ? error.message : 'Something went wrong in this view';
  show(store, { tone: 'fault', text, hint: known ? error.hint : 'Reload it; sessions go on meanwhile.' }, FAULT_MS);
}

/** Takes one away. */
export function dismissToast(store: ToastsStore, id: number): void {
  store.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));
}
