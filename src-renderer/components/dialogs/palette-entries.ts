// What the palette offers: sessions, actions, and commands that ran, by words that the person types.
import type { CommandContext } from '../../commands/command.ts';
import { COMMANDS } from '../../commands/registry.ts';
import { shortcutText } from '../../commands/shortcut.ts';
import { addressOf, oneLine } from '../../format/text.ts';
import { withLane } from '../../state/ui-store.ts';

/** One line of the palette. */
export interface PaletteEntry {
  readonly id: string;
  readonly group: 'Sessions' | 'Actions' | 'Commands';
  readonly title: string;
  readonly detail: string;
  readonly keys: string;
  readonly mono: boolean;
  readonly run: () => void;
}

/** Most lines of each group, so that a long history does not bury the rest. */
const MOST: Readonly<Record<PaletteEntry['group'], number>> = { Sessions: 8, Actions: 24, Commands: 8 };
/** Actions that make no sense from within the palette. */
const LEFT_OUT = new Set(['palette.open', 'palette.openOverTerminal', 'area.next']);

function sessionEntries({ patchbay }: CommandContext): readonly PaletteEntry[] {
  const { sessions, ui } = patchbay.stores;
  return [...sessions.getState().byName.values()].map((session) => ({
    id: `session/${session.name}`,
    group: 'Sessions',
    title: session.name,
    detail: addressOf(session),
    keys: '',
    mono: false,
    run: () => ui.setState({ selected: session.name, place: 'sessions' }),
  }));
}

function actionEntries(context: CommandContext): readonly PaletteEntry[] {
  return COMMANDS.filter((command) => !LEFT_OUT.has(command.id) && command.when(context)).map((command) => ({
    id: command.id,
    group: 'Actions',
    title: command.label(context),
    detail: '',
    keys: command.shortcut === undefined ? '' : shortcutText(command.shortcut),
    mono: false,
    run: () => command.run(context),
  }));
}

function commandEntries({ patchbay }: CommandContext): readonly PaletteEntry[] {
  const { commands, ui } = patchbay.stores;
  const newestFirst = [...commands.getState().byId.values()].toSorted((one, other) => other.queuedAt - one.queuedAt);
  return newestFirst.map(({ commandId, command, sessionName }) => ({
    id: commandId,
    group: 'Commands',
    title: oneLine(command),
    detail: sessionName,
    keys: '',
    mono: true,
    run: () =>
      ui.setState((state) => ({
        ...withLane(state, sessionName, 'commands'),
        selected: sessionName,
        place: 'sessions',
        scrollTo: commandId,
      })),
  }));
}

function matches(entry: PaletteEntry, words: readonly string[]): boolean {
  const text = `${entry.title} ${entry.detail}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** The lines for what was typed; commands that ran only once something was typed. */
export function paletteEntries(context: CommandContext, typed: string): readonly PaletteEntry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const past = words.length === 0 ? [] : commandEntries(context);
  const groups = [sessionEntries(context), actionEntries(context), past];
  return groups.flatMap((group) => {
    const fitting = group.filter((entry) => matches(entry, words));
    return fitting.slice(0, MOST[fitting[0]?.group ?? 'Actions']);
  });
}

/** Whether a line begins its group. */
export function beginsGroup(entries: readonly PaletteEntry[], index: number): boolean {
  return entries[index]?.group !== entries[index - 1]?.group;
}
