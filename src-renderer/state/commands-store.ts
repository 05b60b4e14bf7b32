// The commands of each session, without their output.
import { createStore } from 'zustand/vanilla';
import type { CommandView } from '../../src-shared/model/index.ts';

export interface CommandsState {
  readonly byId: ReadonlyMap<string, CommandView>;
}

/** Makes the store. */
export const createCommandsStore = () => createStore<CommandsState>(() => ({ byId: new Map() }));

/** How many commands a view remembers; beyond that the oldest ended ones are forgotten. */
const MOST = 5000;

/** Adds or replaces. */
export function withCommands(state: CommandsState, commands: readonly CommandView[]): CommandsState {
  const byId = new Map(state.byId);
  for (const command of commands) byId.set(command.commandId, command);
  for (const id of byId.keys()) {
    if (byId.size <= MOST) break;
    byId.delete(id);
  }
  return { byId };
}

/** Forgets those of a session that is gone. */
export function withoutSessionCommands(state: CommandsState, sessionName: string): CommandsState {
  return { byId: new Map([...state.byId].filter(([, command]) => command.sessionName !== sessionName)) };
}

/** Those of one session, oldest first. */
export function commandsOf(state: CommandsState, sessionName: string): readonly CommandView[] {
  return [...state.byId.values()]
    .filter((command) => command.sessionName === sessionName)
    .toSorted((one, other) => one.queuedAt - other.queuedAt);
}
