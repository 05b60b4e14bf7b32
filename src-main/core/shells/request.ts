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
  const input = stdin === null ? '' : `${stdin.length} ${words.taken}`;
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
