// The command line of Patchbay, the same for the app and for the program without a window.
import type { EntryStyle } from './core/config/client-entry.ts';

/** What the person, a login or a bridge wants. */
export type Wish =
  | RunWish
  | { readonly kind: 'client-entry'; readonly style: EntryStyle }
  | { readonly kind: 'version' }
  | { readonly kind: 'help' }
  /** `force`: also when sessions would be closed by it. */
  | { readonly kind: 'stop'; readonly force: boolean }
  | { readonly kind: 'mistake'; readonly fault: string };

/** A start. */
export interface RunWish {
  readonly kind: 'run';
  /** In the tray, without a window: a bridge or a login did it. */
  readonly hidden: boolean;
  /** A bridge started it without a window, so it ends when nobody uses it. */
  readonly idleExit: boolean;
  /** Ends the Patchbay that has the data folder already. */
  readonly takeOver: boolean;
  readonly force: boolean;
}

interface Option {
  /** As the person writes it. */
  readonly shown: string;
  readonly help: string;
}

const PRINT = '--print-client-config';

const OPTIONS: readonly Option[] = [
  { shown: '--headless', help: 'run without a window' },
  { shown: '--hidden', help: 'start in the tray, without showing the window' },
  { shown: '--take-over', help: 'end the Patchbay that runs with this data folder, then start' },
  { shown: '--stop', help: 'end the Patchbay that runs with this data folder' },
  { shown: '--force', help: 'with --take-over or --stop: also when sessions are open' },
  { shown: `${PRINT}[=claude-desktop|claude-code]`, help: 'print the entry for the settings of an MCP client' },
  { shown: '--version', help: 'print the version' },
  { shown: '--help', help: 'print this' },
  { shown: '--idle-exit', help: 'end when nobody has used it for a while; bridges start it so' },
];

const STYLES: readonly EntryStyle[] = ['claude-desktop', 'claude-code'];
const NAMES = OPTIONS.map(({ shown }) => shown.split('[')[0] ?? shown);

/** What `--help` prints. */
export function usageLines(): readonly string[] {
  const width = Math.max(...OPTIONS.map(({ shown }) => shown.length));
  return [
    'Usage: npm start -- [options]    (from a clone)',
    '       patchbay [options]        (installed)',
    '',
    ...OPTIONS.map(({ shown, help }) => `  ${shown.padEnd(width)}  ${help}`),
    '',
    'Settings come from the environment and from settings.json in the data folder; README.md lists them.',
  ];
}

/** Reads the arguments after the program's name. */
export function parseOptions(args: readonly string[]): Wish {
  const given = args.map((arg) => (arg === '-h' ? '--help' : arg));
  const unknown = given.find((arg) => !NAMES.includes(nameOf(arg)));
  if (unknown !== undefined) {
    return { kind: 'mistake', fault: `${unknown} is not known; known options: ${NAMES.join(', ')}` };
  }
  const has = (name: string): boolean => given.includes(name);
  if (has('--help')) return { kind: 'help' };
  if (has('--version')) return { kind: 'version' };
  const print = given.find((arg) => nameOf(arg) === PRINT);
  if (print !== undefined) return entryWish(print);
  const force = has('--force');
  if (has('--stop')) return { kind: 'stop', force };
  return { kind: 'run', hidden: has('--hidden'), idleExit: has('--idle-exit'), takeOver: has('--take-over'), force };
}

/** Only the option that prints the entry takes a value. */
function nameOf(arg: string): string {
  return arg.startsWith(`${PRINT}=`) ? PRINT : arg;
}

function entryWish(print: string): Wish {
  const given = print.split('=')[1] ?? 'claude-desktop';
  const style = STYLES.find((one) => one === given);
  if (style !== undefined) return { kind: 'client-entry', style };
  return { kind: 'mistake', fault: `${PRINT}=${given} is not known; known: ${STYLES.join(', ')}` };
}
