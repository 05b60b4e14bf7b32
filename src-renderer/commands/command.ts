// What an action of the person is: one object that palette, buttons and shortcuts all read.
import type { LucideIcon } from 'lucide-react';
import type { SessionView } from '../../src-shared/model/index.ts';
import type { AppInfo } from '../state/app-store.ts';
import type { Patchbay } from '../state/patchbay.ts';
import type { UiState } from '../state/ui-store.ts';
import type { Shortcut } from './shortcut.ts';

/** What an action may look at. */
export interface CommandContext {
  readonly patchbay: Patchbay;
  readonly app: AppInfo;
  readonly ui: UiState;
  /** The session that is on screen. */
  readonly session: SessionView | undefined;
}

/** One action. */
export interface UserCommand {
  readonly id: string;
  /** Verb first; says what will happen and to which host. */
  readonly label: (context: CommandContext) => string;
  readonly icon: LucideIcon;
  readonly shortcut?: Shortcut;
  /** Whether it makes sense now. */
  readonly when: (context: CommandContext) => boolean;
  readonly run: (context: CommandContext) => void;
}

/** Everything an action may look at, as it is now. */
export function contextOf(patchbay: Patchbay): CommandContext {
  const { app, ui, sessions } = patchbay.stores;
  const state = ui.getState();
  const session = state.selected === null ? undefined : sessions.getState().byName.get(state.selected);
  return { patchbay, app: app.getState(), ui: state, session };
}
