// Starts our shell on a host whose login shell is not known: bash if PATH has one, else sh.
import { bashDriver } from './bash-driver.ts';
import { shDriver } from './sh-driver.ts';

/**
 * The exec request. bash, zsh, dash, BusyBox ash, fish and tcsh read it alike: one word in single quotes without
 * back-slash, exclamation mark or newline. The text to run follows as the first line of stdin; `read` is a builtin
 * everywhere, while `head -c` is not on every host and costs a fork.
 */
export const START_LINE = `exec sh -c 'IFS= read -r D;eval "$D"'`;

/** What to write to stdin after {@link START_LINE}; `greeting` is a fresh nonce of letters and digits. */
export function bootText(greeting: string): string {
  const boot = 'IFS= read -r D; command -v bash >/dev/null 2>&1 && exec bash --norc -c "$D"; IFS= read -r D; eval "$D"';
  // bash leaves the line for sh unread on the channel, so its driver has to skip that line first.
  const bash = `IFS= builtin read -r __pb_z; unset __pb_z D; ${bashDriver(greeting)}`;
  return `${boot}\n${bash}\n${shDriver(greeting)}\n`;
}
