// Puts one command into the form that a driver reads.
import type { ShellKind } from './live-shell.ts';

/** What the shell is to run. Neither text may hold a NUL character. */
export interface ShellRequest {
  readonly command: string;
  /** Change to this directory first; empty: stay. */
  readonly directory: string;
  readonly stdin: Uint8Array | null;
}

/** Words that mark one run; all from {@link import('./nonce.ts').nonce}. */
export interface RunWords {
  readonly end: string;
  /** Confirms that stdin was taken. */
  readonly taken: string;
}

/** Everything up to the end nonce, which is sent right after, or after the confirmation when there is stdin. */
export function encodeRequest(kind: ShellKind, request: ShellRequest, words: RunWords): Buffer {
  const head = kind === 'bash' ? bashHead(request, words) : shHead(request, words);
  return request.stdin === null ? Buffer.from(head) : Buffer.concat([Buffer.from(head), request.stdin]);
}

/** The end nonce as the driver reads it, once the command has ended. */
export function encodeEnd(kind: ShellKind, words: RunWords): Buffer {
  return Buffer.from(kind === 'bash' ? `${words.end}\0` : `${words.end}\n`);
}

function bashHead({ command, directory, stdin }: ShellRequest, words: RunWords): string {
  const plain = isPlainCommand(command) ? '-' : '';
  const input = stdin === null ? plain : `${stdin.length} ${words.taken}`;
  return `${input}\0${directory}\0${command}\0`;
}

/** Counts of lines, then the lines. */
function shHead({ command, directory, stdin }: ShellRequest, words: RunWords): string {
  const count = (text: string): number => text.split('\n').length;
  const input = stdin === null ? '-' : String(stdin.length);
  const lines = directory === '' ? [command] : [directory, command];
  const head = `${count(command)} ${directory === '' ? 0 : count(directory)} ${input} ${words.taken}`;
  return `${[head, ...lines].join('\n')}\n`;
}

/** Builtins and keywords of bash that can change variables, or run what can. */
const CHANGERS =
  /^(?:\.|:|alias|bg|bind|break|builtin|caller|case|cd|command|compgen|complete|compopt|continue|coproc|declare|dirs|disown|do|done|elif|else|enable|esac|eval|exec|exit|export|fc|fg|fi|for|function|getopts|hash|history|if|in|jobs|let|local|logout|mapfile|popd|printf|pushd|read|readarray|readonly|return|select|set|shift|shopt|source|suspend|then|time|times|trap|typeset|ulimit|umask|unalias|unset|until|wait|while)(?= |$)/;

/**
 * One program and plain words: nothing in the text itself can change a variable of the shell. Whether the first word is
 * a function or an alias only the shell knows; its driver asks.
 */
export function isPlainCommand(command: string): boolean {
  return /^[\w./][\w./:@%+,-]*(?: [\w./:@%+,-]+)*$/.test(command) && !CHANGERS.test(command);
}
