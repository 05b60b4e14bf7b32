// Starts our shell on a host whose login shell is not known: bash if PATH has one, else sh.
import { bashDriver } from './bash-driver.ts';
import { shDriver } from './sh-driver.ts';

/**
 * The exec request. bash, zsh, dash, BusyBox ash, fish and tcsh read it alike: one word in single quotes without
 * back-slash, exclamation mark or newline. The text to run follows as the first line of stdin; `read` is a builtin
 * everywhere, while `head -c` is not on every host and costs a fork.
 */
export const START_LINE = `exec sh -c 'IFS= read -r D;eval "$D"'`;

/** Words of a shell's start; fresh nonces of letters and digits. */
export interface StartWords {
  readonly greeting: string;
  /** Marks the report that the shell's process has ended. */
  readonly death: string;
}

/**
 * What to write to stdin after {@link START_LINE}. The first sh stays as the parent and reports the end of our shell,
 * however it came (exec, kill -9): the server itself says nothing as long as a background job holds the channel.
 */
export function bootText({ greeting, death }: StartWords): string {
  const boot = [
    // A trap that does nothing, not an ignored signal: that one would be inherited.
    'trap : INT TERM QUIT; IFS= read -r D; IFS= read -r E;',
    // Its own words about the end of our shell ("Killed") are nobody's output. A subshell, because dash redirects itself.
    'exec 3>&2 2>/dev/null; if command -v bash >/dev/null 2>&1; then (exec bash --norc -c "$D" 2>&3 3>&-); else (exec sh -c "$E" 2>&3 3>&-); fi;',
    // The status first: in some shells a trap that ran meanwhile changes it.
    `E=$?; printf "\\036%s\\005%s\\036" ${death} "$E"; printf "\\036%s\\005%s\\036" ${death} "$E" >&3`,
  ].join(' ');
  return `${boot}\n${bashDriver(greeting)}\n${shDriver(greeting)}\n`;
}
