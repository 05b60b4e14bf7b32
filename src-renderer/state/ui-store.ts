// What this view looks at: selected session, pane, dialogs. Nothing of it leaves the view.
import { createStore } from 'zustand/vanilla';

export type Lane = 'commands' | 'terminal';
export type Place = 'sessions' | 'settings';
export type SettingsPage = 'general' | 'appearance' | 'sessions' | 'assistants' | 'monitor' | 'shortcuts' | 'about';

/** What floats above the page; one at a time. */
export type Dialog =
  | { readonly kind: 'palette' }
  | { readonly kind: 'connect' }
  | { readonly kind: 'hand-back'; readonly session: string }
  | { readonly kind: 'disconnect'; readonly session: string }
  | { readonly kind: 'renew-tokens' };

export interface UiState {
  readonly place: Place;
  readonly settingsPage: SettingsPage;
  readonly selected: string | null;
  readonly lanes: ReadonlyMap<string, Lane>;
  readonly dialog: Dialog | null;
  readonly filter: string;
  /** On a medium screen the floating cards are folded away, until another one comes. */
  readonly needsFolded: boolean;
  /** The sheet with "Needs you" on a narrow screen. */
  readonly needsOpen: boolean;
  readonly findOpen: boolean;
  /** The command that the Commands pane is to scroll to once it is there. */
  readonly scrollTo: string | null;
  /** Typed texts that wait: closing a dialog or leaving a session never loses one. */
  readonly drafts: ReadonlyMap<string, string>;
}

/** Makes the store. */
export const createUiStore = (selected: string | null) =>
  createStore<UiState>(() => ({
    place: 'sessions',
    settingsPage: 'assistants',
    selected,
    lanes: new Map(),
    dialog: null,
    filter: '',
    needsFolded: false,
    needsOpen: false,
    findOpen: false,
    scrollTo: null,
    drafts: new Map(),
  }));

/** The pane that a session shows; a host without a POSIX shell has only the terminal. */
export function laneOf(ui: UiState, session: { readonly name: string; readonly kind: string }): Lane {
  return ui.lanes.get(session.name) ?? (session.kind === 'posix' ? 'commands' : 'terminal');
}

/** Keeps or, when empty, forgets a typed text. */
export function withDraft(ui: UiState, key: string, text: string): Pick<UiState, 'drafts'> {
  const drafts = new Map(ui.drafts);
  if (text === '') drafts.delete(key);
  else drafts.set(key, text);
  return { drafts };
}

/** Shows another pane of a session. */
export function withLane(ui: UiState, session: string, lane: Lane): Pick<UiState, 'lanes' | 'findOpen'> {
  return { lanes: new Map(ui.lanes).set(session, lane), findOpen: false };
}
