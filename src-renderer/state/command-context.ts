// What actions may look at, for components: they draw anew when any of it changes.
import { contextOf } from '../commands/command.ts';
import type { CommandContext } from '../commands/command.ts';
import { useApp, useCards, usePatchbay, usePreferences, useSessions, useUi } from './context.ts';

/** The context as it is now. */
export function useCommandContext(): CommandContext {
  const patchbay = usePatchbay();
  useApp((app) => app);
  useUi((ui) => ui);
  useCards((cards) => cards);
  usePreferences((preferences) => preferences);
  useSessions(({ byName }) => byName);
  return contextOf(patchbay);
}
