// What the person can do with the app as a whole and with this view.
import {
  Bell,
  Bot,
  ChevronDown,
  ChevronUp,
  Command,
  Contrast,
  Link,
  Pause,
  Play,
  Settings,
  SquareStack,
} from 'lucide-react';
import { mayOperate, mayOwn } from '../state/app-store.ts';
import { shownTheme } from '../state/preferences-store.ts';
import { focusNextArea } from './areas.ts';
import type { CommandContext, UserCommand } from './command.ts';
import { copyText } from './copying.ts';

function setPause({ patchbay }: CommandContext, state: 'off' | 'input' | 'all'): void {
  patchbay.attempt(patchbay.link.call('pause.set', { state }));
}

function step({ patchbay, ui }: CommandContext, by: 1 | -1): void {
  const names = [...patchbay.stores.sessions.getState().byName.keys()];
  const at = ui.selected === null ? -1 : names.indexOf(ui.selected);
  const next = names[(at + by + names.length) % names.length];
  if (next !== undefined) patchbay.stores.ui.setState({ selected: next, place: 'sessions' });
}

const several = ({ patchbay }: CommandContext): boolean => patchbay.stores.sessions.getState().byName.size > 1;

const openPalette = ({ patchbay }: CommandContext): void =>
  patchbay.stores.ui.setState({ dialog: { kind: 'palette' } });

/** The actions on app and view. */
export const APP_COMMANDS: readonly UserCommand[] = [
  {
    id: 'palette.open',
    label: () => 'Search sessions, commands and actions',
    icon: Command,
    shortcut: { key: 'k', mod: true },
    when: () => true,
    run: openPalette,
  },
  {
    id: 'palette.openOverTerminal',
    label: () => 'Search, also from a terminal',
    icon: Command,
    shortcut: { key: 'k', mod: true, shift: true, overTerminal: true },
    when: () => true,
    run: openPalette,
  },
  {
    id: 'pause.all',
    label: () => 'Pause all assistants',
    icon: Pause,
    when: ({ app }) => mayOperate(app) && app.onlySession === null && app.pause === 'off',
    run: (context) => setPause(context, 'input'),
  },
  {
    id: 'pause.cancelAll',
    label: () => 'Pause all assistants and cancel what runs for them',
    icon: Pause,
    when: ({ app }) => mayOperate(app) && app.onlySession === null && app.pause !== 'all',
    run: (context) => setPause(context, 'all'),
  },
  {
    id: 'pause.off',
    label: () => 'Resume all assistants',
    icon: Play,
    when: ({ app }) => mayOperate(app) && app.onlySession === null && app.pause !== 'off',
    run: (context) => setPause(context, 'off'),
  },
  {
    id: 'session.next',
    label: () => 'Go to the next session',
    icon: ChevronDown,
    shortcut: { key: 'ArrowDown', alt: true, overTerminal: true },
    when: several,
    run: (context) => step(context, 1),
  },
  {
    id: 'session.previous',
    label: () => 'Go to the previous session',
    icon: ChevronUp,
    shortcut: { key: 'ArrowUp', alt: true, overTerminal: true },
    when: several,
    run: (context) => step(context, -1),
  },
  {
    id: 'area.next',
    label: () => 'Move to the next area of the window',
    icon: SquareStack,
    shortcut: { key: 'F6', overTerminal: true },
    when: () => true,
    run: focusNextArea,
  },
  {
    id: 'needs.show',
    label: () => 'Show what needs you',
    icon: Bell,
    when: ({ patchbay }) => patchbay.stores.cards.getState().cards.length > 0,
    run: ({ patchbay }) => patchbay.stores.ui.setState({ needsOpen: true, needsFolded: false }),
  },
  {
    id: 'needs.hide',
    label: () => 'Close what needs you',
    icon: Bell,
    shortcut: { key: 'Escape' },
    when: ({ ui }) => ui.needsOpen,
    run: ({ patchbay }) => patchbay.stores.ui.setState({ needsOpen: false }),
  },
  {
    id: 'theme.toggle',
    label: ({ patchbay }) =>
      shownTheme(patchbay.stores.preferences.getState()) === 'dark' ? 'Use light colours' : 'Use dark colours',
    icon: Contrast,
    when: () => true,
    run: ({ patchbay: { stores } }) => {
      const shown = shownTheme(stores.preferences.getState());
      stores.preferences.setState({ theme: shown === 'dark' ? 'light' : 'dark' });
    },
  },
  {
    id: 'monitor.copy',
    label: () => 'Copy the monitor address',
    icon: Link,
    when: ({ app }) => app.endpoints.monitorUrl !== '',
    run: ({ app, patchbay }) => copyText(patchbay, 'Monitor address', app.endpoints.monitorUrl),
  },
  {
    id: 'assistants.show',
    label: () => 'Connect an assistant',
    icon: Bot,
    when: ({ app }) => mayOwn(app),
    run: ({ patchbay }) => patchbay.stores.ui.setState({ place: 'settings', settingsPage: 'assistants' }),
  },
  {
    id: 'settings.toggle',
    label: ({ ui }) => (ui.place === 'settings' ? 'Close settings' : 'Open settings'),
    icon: Settings,
    shortcut: { key: ',', mod: true },
    when: () => true,
    run: ({ patchbay, ui, app }) =>
      patchbay.stores.ui.setState({
        place: ui.place === 'settings' ? 'sessions' : 'settings',
        settingsPage: mayOwn(app) ? ui.settingsPage : 'appearance',
      }),
  },
];
