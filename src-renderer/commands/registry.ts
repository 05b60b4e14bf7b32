// The list of all actions; palette, buttons, shortcuts and the page of shortcuts read it.
import type { Patchbay } from '../state/patchbay.ts';
import { APP_COMMANDS } from './app-commands.ts';
import { contextOf } from './command.ts';
import type { UserCommand } from './command.ts';
import { SESSION_COMMANDS } from './session-commands.ts';
import { isShortcut } from './shortcut.ts';
import type { KeyPress } from './shortcut.ts';

/** Every action, in the order of the palette. */
export const COMMANDS: readonly UserCommand[] = [...SESSION_COMMANDS, ...APP_COMMANDS];

/** The action with this id; a wrong id is a bug. */
export function commandById(id: string): UserCommand {
  const command = COMMANDS.find((candidate) => candidate.id === id);
  if (command === undefined) throw new Error(`no command ${id}`);
  return command;
}

/** Runs an action if it makes sense now. */
export function runCommand(patchbay: Patchbay, id: string): void {
  const context = contextOf(patchbay);
  const command = commandById(id);
  if (command.when(context)) command.run(context);
}

/** The action that a key press means now, or undefined. */
export function commandOfKey(patchbay: Patchbay, press: KeyPress, inTerminal: boolean): UserCommand | undefined {
  const context = contextOf(patchbay);
  return COMMANDS.find(
    ({ shortcut, when }) =>
      shortcut !== undefined &&
      isShortcut(press, shortcut) &&
      (!inTerminal || shortcut.overTerminal === true) &&
      when(context),
  );
}

/** True while the person types into a host's terminal. */
function typesIntoHost(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('[data-host-keys="on"]') !== null;
}

/** Listens for shortcuts on the whole page; returns the way to stop. */
export function listenForShortcuts(patchbay: Patchbay): () => void {
  const onKey = (event: KeyboardEvent): void => {
    const command = commandOfKey(patchbay, event, typesIntoHost(event.target));
    if (command === undefined || blockedByDialog(patchbay, command)) return;
    event.preventDefault();
    event.stopPropagation();
    command.run(contextOf(patchbay));
  };
  window.addEventListener('keydown', onKey, { capture: true });
  return () => window.removeEventListener('keydown', onKey, { capture: true });
}

/** An open dialog has the keyboard, but for the key that hands back. */
function blockedByDialog(patchbay: Patchbay, command: UserCommand): boolean {
  const { dialog } = patchbay.stores.ui.getState();
  if (dialog === null) return false;
  return !(dialog.kind === 'hand-back' && command.id === 'lease.toggle');
}
