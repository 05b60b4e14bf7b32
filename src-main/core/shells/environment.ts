// Reads what `declare -px` or `export -p` print, and writes the text that brings a new shell to the same variables.

/** Exported variables: name to the shell word of its value (quoted as the shell printed it), null without a value. */
export type Environment = ReadonlyMap<string, string | null>;

/** Variables that belong to one login or one shell and are never carried over. */
const NEVER = /^(SSH_.*|SHLVL|PWD|OLDPWD|_|__pb_.*|BASHOPTS|SHELLOPTS|BASH_VERSINFO|EUID|PPID|UID|PATCHBAY_COMMAND)$/;

const ENTRY = /(?:declare -[A-Za-z]+|export) ([A-Za-z_][A-Za-z0-9_]*)(=)?/y;

/** Parses the dump; null when it is not one (a background job wrote into it). */
export function parseEnvironment(dump: string): Environment | null {
  const found = new Map<string, string | null>();
  let at = 0;
  while (at < dump.length) {
    ENTRY.lastIndex = at;
    const match = ENTRY.exec(dump);
    const name = match?.[1];
    if (match === null || name === undefined) return null;
    const start = ENTRY.lastIndex;
    const end = match[2] === undefined ? start : endOfWord(dump, start);
    if (end === null || dump[end] !== '\n') return null;
    const word = match[2] === undefined ? null : dump.slice(start, end);
    // Arrays cannot be exported, whatever their attribute says.
    if (!NEVER.test(name) && word?.startsWith('(') !== true) found.set(name, word);
    at = end + 1;
  }
  return found;
}

/** The commands that turn `from` into `to`; empty when there is nothing to do. */
export function restoreText(from: Environment, to: Environment): string {
  const lines: string[] = [];
  for (const name of from.keys()) if (!to.has(name)) lines.push(`unset ${name}`);
  for (const [name, word] of to) {
    if (from.get(name) === word) continue;
    lines.push(word === null ? `export ${name}` : `export ${name}=${word}`);
  }
  return lines.join('\n');
}

/** A string as one shell word. */
export function quoteWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Index after the word that starts at `start`; null when a quote stays open. */
function endOfWord(text: string, start: number): number | null {
  let at = start;
  if (text[at] === '(') return endOfLine(text, at);
  while (at < text.length && text[at] !== '\n') {
    const end = endOfPiece(text, at);
    if (end === null) return null;
    at = end;
  }
  return at;
}

function endOfLine(text: string, start: number): number | null {
  const end = text.indexOf('\n', start);
  return end === -1 ? null : end;
}

function endOfPiece(text: string, at: number): number | null {
  const first = text[at];
  if (first === '\\') return at + 2;
  if (first === "'") return after(text.indexOf("'", at + 1));
  if (first === '"') return closing(text, at + 1, '"');
  if (first === '$' && text[at + 1] === "'") return closing(text, at + 2, "'");
  return at + 1;
}

/** Index after the next `quote` that no back-slash precedes. */
function closing(text: string, start: number, quote: string): number | null {
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === quote) return at + 1;
  }
  return null;
}

function after(index: number): number | null {
  return index === -1 ? null : index + 1;
}
