// Hands the view's inside to components, which select what they show.
import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { StoreApi } from 'zustand/vanilla';
import type { Patchbay, Stores } from './patchbay.ts';

const PatchbayContext = createContext<Patchbay | null>(null);

/** Provides it. */
export const PatchbayProvider = PatchbayContext.Provider;

/** The view's inside. */
export function usePatchbay(): Patchbay {
  const patchbay = useContext(PatchbayContext);
  if (patchbay === null) throw new Error('no PatchbayProvider above');
  return patchbay;
}

type StoreName = { [Name in keyof Stores]: Stores[Name] extends StoreApi<infer _State> ? Name : never }[keyof Stores];
type StateOf<Name extends StoreName> = Stores[Name] extends StoreApi<infer State> ? State : never;

function useSelected<State, Shown>(store: StoreApi<State>, select: (state: State) => Shown): Shown {
  return useStore(store, select);
}

/** The app as a whole. */
export const useApp = <Shown>(select: (state: StateOf<'app'>) => Shown): Shown =>
  useSelected(usePatchbay().stores.app, select);
/** The sessions. */
export const useSessions = <Shown>(select: (state: StateOf<'sessions'>) => Shown): Shown =>
  useSelected(usePatchbay().stores.sessions, select);
/** The commands. */
export const useCommands = <Shown>(select: (state: StateOf<'commands'>) => Shown): Shown =>
  useSelected(usePatchbay().stores.commands, select);
/** The cards. */
export const useCards = <Shown>(select: (state: StateOf<'cards'>) => Shown): Shown =>
  useSelected(usePatchbay().stores.cards, select);
/** What this view looks at. */
export const useUi = <Shown>(select: (state: StateOf<'ui'>) => Shown): Shown =>
  useSelected(usePatchbay().stores.ui, select);
/** The line. */
export const useLink = <Shown>(select: (state: StateOf<'link'>) => Shown): Shown =>
  useSelected(usePatchbay().stores.link, select);
/** What the person likes. */
export const usePreferences = <Shown>(select: (state: StateOf<'preferences'>) => Shown): Shown =>
  useSelected(usePatchbay().stores.preferences, select);
/** Messages. */
export const useToasts = <Shown>(select: (state: StateOf<'toasts'>) => Shown): Shown =>
  useSelected(usePatchbay().stores.toasts, select);
/** The present moment, once a second. */
export const useNow = (): number => useSelected(usePatchbay().stores.clock, (state) => state.now);
