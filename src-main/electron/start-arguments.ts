// What the program was started with: hidden or not, or only to print the entry for a client.
import type { EntryStyle } from '../core/config/client-entry.ts';

/** The arguments that the app understands. */
export interface StartArguments {
  /** Start in the tray, without a window: a bridge or a login did it. */
  readonly hidden: boolean;
  /** Print the entry for this client and end. */
  readonly printEntry: EntryStyle | undefined;
}

const PRINT = '--print-client-config';

/** Reads the arguments; Chromium's own switches among them are passed over. */
export function parseArguments(argv: readonly string[]): StartArguments {
  const print = argv.find((one) => one === PRINT || one.startsWith(`${PRINT}=`));
  const style = print === `${PRINT}=claude-code` ? 'claude-code' : 'claude-desktop';
  return { hidden: argv.includes('--hidden'), printEntry: print === undefined ? undefined : style };
}
