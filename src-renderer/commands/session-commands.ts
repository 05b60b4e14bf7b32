// What the person can do with the session on screen.
import { Copy, Hand, Octagon, Plus, SquareTerminal, TextSearch, TextSelect, Undo2, Unplug, Rows3 } from 'lucide-react';
import { mayOperate } from '../state/app-store.ts';
import { commandsOf } from '../state/commands-store.ts';
import { laneOf, withLane } from '../state/ui-store.ts';
import type { Lane } from '../state/ui-store.ts';
import { leaveSessionRow } from './areas.ts';
import type { CommandContext, UserCommand } from './command.ts';
import { copyText, outputText } from './copying.ts';

const isOpen = ({ session }: CommandContext): boolean => session !== undefined && session.status !== 'closed';
const drives = ({ session }: CommandContext): boolean => session?.lease.holder === 'person';
const acts = (context: CommandContext): boolean => mayOperate(context.app) && isOpen(context);
const nameOf = ({ session }: CommandContext): string => session?.name ?? 'the session';

function showLane(context: CommandContext, lane: Lane): void {
  const { session, patchbay } = context;
  if (session !== undefined)
    patchbay.stores.ui.setState((ui) => ({ ...withLane(ui, session.name, lane), place: 'sessions' }));
}

const selectionOf = ({ panes }: CommandContext['patchbay']): string =>
  panes.terminal?.selection() || panes.commands?.selection() || '';

const lastCommand = ({ patchbay, session }: CommandContext) =>
  session === undefined ? undefined : commandsOf(patchbay.stores.commands.getState(), session.name).at(-1);

function takeOrHandBack(context: CommandContext): void {
  const { patchbay, session, ui } = context;
  if (session === undefined) return;
  if (!drives(context)) {
    if (laneOf(ui, session) === 'commands') leaveSessionRow();
    patchbay.attempt(patchbay.link.call('lease.take', { session: session.name }));
    return;
  }
  // The same key again while the note is open hands back at once.
  if (ui.dialog?.kind === 'hand-back') handBack(context, session.name);
  else patchbay.stores.ui.setState({ dialog: { kind: 'hand-back', session: session.name } });
}

/** Where the note for a hand-back waits. */
export const noteKey = (session: string): string => `note/${session}`;

/** Gives a session back to assistants, with the note that was typed. */
export function handBack({ patchbay }: Pick<CommandContext, 'patchbay'>, session: string): void {
  const { ui } = patchbay.stores;
  const note = (ui.getState().drafts.get(noteKey(session)) ?? '').trim();
  const input = note === '' ? { session } : { session, note };
  patchbay.attempt(
    patchbay.link
      .call('lease.handBack', input)
      .then(() =>
        ui.setState(({ drafts }) => ({ drafts: new Map([...drafts].filter(([key]) => key !== noteKey(session))) })),
      ),
  );
  ui.setState({ dialog: null });
}

/** Closes a session; asks first when something runs in it. */
function disconnect({ patchbay, session }: CommandContext): void {
  if (session === undefined) return;
  if (session.busy || session.queued > 0) {
    patchbay.stores.ui.setState({ dialog: { kind: 'disconnect', session: session.name } });
    return;
  }
  patchbay.attempt(patchbay.link.call('session.disconnect', { session: session.name }));
}

/** The actions on one session. */
export const SESSION_COMMANDS: readonly UserCommand[] = [
  {
    id: 'lease.toggle',
    label: (context) => (drives(context) ? `Hand back ${nameOf(context)}` : `Take over ${nameOf(context)}`),
    icon: Hand,
    shortcut: { key: 'F8', overTerminal: true },
    when: acts,
    run: takeOrHandBack,
  },
  {
    id: 'lane.commands',
    label: (context) => `Show commands of ${nameOf(context)}`,
    icon: Rows3,
    shortcut: { key: '1', alt: true, overTerminal: true },
    when: (context) => isOpen(context) && context.session?.kind === 'posix',
    run: (context) => showLane(context, 'commands'),
  },
  {
    id: 'lane.terminal',
    label: (context) => `Show terminal of ${nameOf(context)}`,
    icon: SquareTerminal,
    shortcut: { key: '2', alt: true, overTerminal: true },
    when: isOpen,
    run: (context) => showLane(context, 'terminal'),
  },
  {
    id: 'find',
    label: (context) => `Find in output of ${nameOf(context)}`,
    icon: TextSearch,
    shortcut: { key: 'f', mod: true },
    when: ({ session, ui }) => session !== undefined && ui.place === 'sessions' && laneOf(ui, session) === 'commands',
    run: ({ patchbay }) => patchbay.stores.ui.setState({ findOpen: true }),
  },
  {
    id: 'command.cancel',
    label: (context) => `Cancel the running command on ${nameOf(context)}`,
    icon: Octagon,
    shortcut: { key: '.', mod: true },
    when: (context) => acts(context) && context.session?.running != null,
    run: ({ patchbay, session }) => {
      const running = session?.running;
      if (running == null) return;
      const input = { session: running.sessionName, commandId: running.commandId };
      patchbay.attempt(patchbay.link.call('command.cancel', input));
    },
  },
  {
    id: 'command.copy',
    label: () => 'Copy the last command',
    icon: Copy,
    when: (context) => lastCommand(context) !== undefined,
    run: (context) => copyText(context.patchbay, 'Command', lastCommand(context)?.command ?? ''),
  },
  {
    id: 'command.copyOutput',
    label: () => 'Copy the output of the last command',
    icon: TextSelect,
    when: (context) => lastCommand(context) !== undefined,
    run: (context) => {
      const command = lastCommand(context);
      if (command !== undefined) copyText(context.patchbay, 'Output', outputText(context.patchbay, command));
    },
  },
  {
    id: 'selection.copy',
    label: () => 'Copy the selected terminal text',
    icon: TextSelect,
    shortcut: { key: 'c', mod: true, shift: true, overTerminal: true },
    when: ({ patchbay }) => selectionOf(patchbay) !== '',
    run: ({ patchbay }) => copyText(patchbay, 'Selection', selectionOf(patchbay)),
  },
  {
    id: 'block.previous',
    label: () => 'Scroll to the previous command',
    icon: Undo2,
    shortcut: { key: 'ArrowUp', mod: true },
    when: ({ patchbay }) => patchbay.panes.commands !== null,
    run: ({ patchbay }) => patchbay.panes.commands?.scrollToBlock('previous'),
  },
  {
    id: 'block.next',
    label: () => 'Scroll to the next command',
    icon: Undo2,
    shortcut: { key: 'ArrowDown', mod: true },
    when: ({ patchbay }) => patchbay.panes.commands !== null,
    run: ({ patchbay }) => patchbay.panes.commands?.scrollToBlock('next'),
  },
  {
    id: 'session.disconnect',
    label: (context) => `Disconnect ${nameOf(context)}`,
    icon: Unplug,
    when: acts,
    run: disconnect,
  },
  {
    id: 'session.connect',
    label: () => 'Connect to a host',
    icon: Plus,
    shortcut: { key: 'n', alt: true },
    when: ({ app }) => mayOperate(app) && app.onlySession === null,
    run: ({ patchbay }) => patchbay.stores.ui.setState({ dialog: { kind: 'connect' } }),
  },
];
