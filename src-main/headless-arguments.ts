// Reads the command line of the headless program.
import type { EntryStyle } from './core/config/client-entry.ts';

/** What the person or the bridge wants. */
export type HeadlessWish =
  /** `idleExit`: a bridge started it, so it ends when nobody uses it. */
  | { readonly kind: 'run'; readonly idleExit: boolean }
  | { readonly kind: 'client-entry'; readonly style: EntryStyle }
  | { readonly kind: 'version' }
  | { readonly kind: 'mistake'; readonly fault: string };

const STYLES: readonly EntryStyle[] = ['claude-desktop', 'claude-code'];
const KNOWN = ['--headless', '--idle-exit', '--version', '--print-client-config'];

/** Reads the arguments after the program's name. */
export function parseHeadlessArguments(args: readonly string[]): HeadlessWish {
  const unknown = args.find((arg) => !KNOWN.includes(arg.replace(/^(--print-client-config)=.*$/, '$1')));
  if (unknown !== undefined) {
    return { kind: 'mistake', fault: `${unknown} is not known; known arguments: ${KNOWN.join(', ')}` };
  }
  if (args.includes('--version')) return { kind: 'version' };
  const print = args.find((arg) => arg.startsWith('--print-client-config'));
  if (print === undefined) return { kind: 'run', idleExit: args.includes('--idle-exit') };
  const given = print.split('=')[1] ?? 'claude-desktop';
  const style = STYLES.find((one) => one === given);
  if (style === undefined) {
    return { kind: 'mistake', fault: `--print-client-config=${given} is not known; known: ${STYLES.join(', ')}` };
  }
  return { kind: 'client-entry', style };
}
