// Everything one view consists of, without React: the line, the stores, and what flows between them.
import { Link } from '../connection/link.ts';
import type { LinkListener } from '../connection/link.ts';
import type { Door } from '../connection/transport.ts';
import type { AppState } from '../../src-shared/protocol/index.ts';
import type { CommandsTerminal } from '../terminal/commands-terminal.ts';
import type { PtyTerminal } from '../terminal/pty-terminal.ts';
import { createEmitter } from './emitter.ts';
import { createAppStore } from './app-store.ts';
import { createCardsStore } from './cards-store.ts';
import { createClockStore } from './clock-store.ts';
import { createCommandsStore, withCommands, withoutSessionCommands } from './commands-store.ts';
import { createLinkStore } from './link-store.ts';
import { createPreferencesStore } from './preferences-store.ts';
import { allSessions, createSessionsStore, withSession, withoutSession } from './sessions-store.ts';
import { createToastsStore, sayFault } from './toasts-store.ts';
import { createUiStore } from './ui-store.ts';

/** Sizes of terminals as they change, for the panes that draw them. */
export interface TerminalSize {
  readonly session: string;
  readonly cols: number;
  readonly rows: number;
}

function createStores(selected: string | null) {
  return {
    app: createAppStore(),
    cards: createCardsStore(),
    clock: createClockStore(),
    commands: createCommandsStore(),
    link: createLinkStore(),
    preferences: createPreferencesStore(),
    sessions: createSessionsStore(),
    toasts: createToastsStore(),
    ui: createUiStore(selected),
    terminalSizes: createEmitter<TerminalSize>(),
    /** At this moment the tokens became others. */
    tokensRenewed: createEmitter<number>(),
  };
}
export type Stores = ReturnType<typeof createStores>;

function takeState(stores: Stores, state: AppState): void {
  const { sessions, cards, ...app } = state;
  stores.app.setState(app);
  stores.cards.setState({ cards });
  stores.sessions.setState(allSessions(sessions));
  stores.link.setState({ everOnline: true, loginError: null });
  if (state.onlySession !== null) stores.ui.setState({ selected: state.onlySession });
  selectFirst(stores);
}

/** The first session is shown when nothing is; one that an assistant opens later never takes the person's place. */
function selectFirst(stores: Stores): void {
  const { selected } = stores.ui.getState();
  const [first] = stores.sessions.getState().byName.keys();
  const wide = matchMedia('(min-width: 720px)').matches;
  if (selected === null && first !== undefined && wide) stores.ui.setState({ selected: first });
}

function listener(stores: Stores): LinkListener {
  return {
    onPhase: (phase) => stores.link.setState({ phase }),
    onState: (state) => takeState(stores, state),
    events: {
      'session.changed': ({ session }) => {
        stores.sessions.setState((state) => withSession(state, session));
        selectFirst(stores);
      },
      'session.removed': ({ name }) => {
        stores.sessions.setState((state) => withoutSession(state, name));
        stores.commands.setState((state) => withoutSessionCommands(state, name));
      },
      'command.changed': ({ command }) => stores.commands.setState((state) => withCommands(state, [command])),
      'cards.changed': ({ cards }) => {
        const known = new Set(stores.cards.getState().cards.map(({ id }) => id));
        if (cards.some(({ id }) => !known.has(id))) stores.ui.setState({ needsFolded: false });
        stores.cards.setState({ cards });
      },
      'pause.changed': ({ pause }) => stores.app.setState({ pause }),
      'clients.changed': ({ clients }) => stores.app.setState({ clients }),
      'endpoints.changed': ({ endpoints }) => stores.app.setState({ endpoints }),
      'terminal.resized': (size) => stores.terminalSizes.emit(size),
    },
  };
}

/** The terminals that are on screen now, for commands that scroll, find or focus. */
export interface Panes {
  commands: CommandsTerminal | null;
  terminal: PtyTerminal | null;
}

/** One view. */
export interface Patchbay {
  readonly panes: Panes;
  readonly stores: Stores;
  readonly link: Link;
  /** Runs work of the person's; a failure becomes a message on screen. */
  readonly attempt: (work: Promise<unknown>) => void;
}

/** Makes the view's inside; call `link.connect()` to start it. */
export function createPatchbay(door: Door, selected: string | null): Patchbay {
  const stores = createStores(selected);
  const link = new Link(door, listener(stores));
  const attempt = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => sayFault(stores.toasts, error));
  };
  const hurry = (): void => {
    if (!document.hidden) link.hurry();
  };
  document.addEventListener('visibilitychange', hurry);
  window.addEventListener('online', hurry);
  return { stores, link, attempt, panes: { commands: null, terminal: null } };
}
