// How the line to the gateway is, for bars and screens.
import { createStore } from 'zustand/vanilla';
import type { LinkPhase } from '../connection/link.ts';

export interface LinkState {
  readonly phase: LinkPhase;
  /** There was a state once: what is on screen stays while the line is away. */
  readonly everOnline: boolean;
  /** Why the last attempt to get in failed, for the login screen. */
  readonly loginError: string | null;
}

/** Makes the store. */
export const createLinkStore = () =>
  createStore<LinkState>(() => ({ phase: { kind: 'connecting' }, everOnline: false, loginError: null }));
