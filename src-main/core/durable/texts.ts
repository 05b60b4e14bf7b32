// Shell texts that start, follow and clear away a durable command on its host. POSIX sh; `d` is its folder.
import { quoteWord } from '../shells/environment.ts';

/** What a state text printed, read. */
export type JobState = { readonly kind: 'alive' | 'gone' } | { readonly kind: 'ended'; readonly exitCode: number };

/** Variable `d`, for the texts below. */
const folderIs = (folder: string): string => `d=${quoteWord(folder)};`;

/** `alive` succeeds while the process that ran the command lives: since this boot, and until its code is written. */
const ALIVE = [
  'alive() { read -r q <"$d/pid" || return 1; b=; [ -r /proc/sys/kernel/random/boot_id ] && read -r b </proc/sys/kernel/random/boot_id;',
  'c=; read -r c <"$d/boot"; [ "$b" = "$c" ] && kill -0 "$q"; } 2>/dev/null;',
].join(' ');

/**
 * Makes a folder of its own (0700, a name that cannot be guessed), stores the command's text from stdin in it and
 * prints its path; fails where no folder can be made. The home folder first: it outlives a log-out and a restart.
 */
export function prepareText(id: string): string {
  const name = quoteWord(`patchbay-${id}`);
  return [
    '( umask 077; d=;',
    `for b in "\${XDG_CACHE_HOME:-$HOME/.cache}" "$HOME" "\${TMPDIR:-/tmp}" /tmp; do`,
    `mkdir -p -- "$b" 2>/dev/null; d=$b/${name}; mkdir -- "$d" 2>/dev/null && break; d=; done;`,
    '[ -n "$d" ] && cat >"$d/command" && : >"$d/out" && : >"$d/err" && printf %s "$d" )',
  ].join(' ');
}

/** Stores the command's own stdin. */
export function stdinText(folder: string): string {
  return `( umask 077; ${folderIs(folder)} cat >"$d/stdin" )`;
}

/**
 * Starts the command so that nothing of this connection ends it. Its parent writes process id and boot first and the
 * exit code last, each whole or not at all. The text is read by `eval` in a shell of its own, so that messages name
 * that shell as they do for other commands. Succeeds when the parent runs.
 */
export function startText(folder: string, shell: 'bash' | 'sh'): string {
  const command = `${shell} -c ${quoteWord('eval "shift; $(cat "$1")"')} ${shell} "$d/command"`;
  const parent = [
    'd=$1; trap : INT TERM QUIT; i=/dev/null; [ -f "$d/stdin" ] && i=$d/stdin; : >"$d/boot";',
    '[ -r /proc/sys/kernel/random/boot_id ] && cat /proc/sys/kernel/random/boot_id >"$d/boot";',
    'echo $$ >"$d/pid.new"; mv "$d/pid.new" "$d/pid";',
    `${command} <"$i" >>"$d/out" 2>>"$d/err"; c=$?;`,
    'echo "$c" >"$d/code.new"; mv "$d/code.new" "$d/code"',
  ].join(' ');
  return [
    folderIs(folder),
    // Job control gives it a process group of its own and leaves it INT; where there is no control, TERM has to do.
    shell === 'bash' ? '( set -m;' : '(',
    `( trap '' HUP; s=; command -v setsid >/dev/null 2>&1 && s=setsid; exec $s ${shell} -c ${quoteWord(parent)} ${shell} "$d" ) </dev/null >/dev/null 2>&1 & );`,
    'n=0; while [ ! -s "$d/pid" ] && [ ! -s "$d/code" ] && [ "$n" -lt 100 ]; do n=$((n+1)); sleep 0.1 2>/dev/null || sleep 1; done; [ -s "$d/pid" ]',
  ].join(' ');
}

/** Where to read on. */
export interface Offsets {
  readonly stdout: number;
  readonly stderr: number;
}

/**
 * Prints both streams from the offsets on as they grow, and returns when the command has ended or another follower has
 * come. What is not printed by then is left to {@link restText}. `word` is this follower's own.
 */
export function followText(folder: string, from: Offsets, word: string): string {
  return [
    ALIVE,
    folderIs(folder),
    `printf '%s\\n' ${word} >"$d/follower";`,
    `tail -c +${from.stdout + 1} -f "$d/out" 2>/dev/null & x=$!;`,
    `tail -c +${from.stderr + 1} -f "$d/err" >&2 2>/dev/null & y=$!;`,
    'f=; while [ ! -f "$d/code" ] && alive; do',
    `read -r f <"$d/follower" || f=; [ "$f" = ${word} ] || break;`,
    'sleep 0.2 2>/dev/null || sleep 1; done 2>/dev/null;',
    // KILL: nothing of theirs may still run, such as a trap, and what they have not printed is fetched later.
    '{ kill -9 "$x" "$y"; wait "$x" "$y"; } 2>/dev/null; :',
  ].join(' ');
}

/** Prints what stands past the offsets now. */
export function restText(folder: string, from: Offsets): string {
  return [
    folderIs(folder),
    `tail -c +${from.stdout + 1} "$d/out" 2>/dev/null; tail -c +${from.stderr + 1} "$d/err" >&2 2>/dev/null; :`,
  ].join(' ');
}

/** Prints the exit code, or `alive`, or `gone`. The code is looked for again behind the process: it may end meanwhile. */
export function stateText(folder: string): string {
  const code = '[ -f "$d/code" ] && cat "$d/code"';
  return `${ALIVE} ${folderIs(folder)} ${code} || { alive && echo alive; } || { ${code}; } || echo gone`;
}

/** Reads what {@link stateText} printed; null when it is none of it. */
export function readState(said: string): JobState | null {
  const word = said.trim();
  if (word === 'alive' || word === 'gone') return { kind: word };
  return /^\d{1,3}$/.test(word) ? { kind: 'ended', exitCode: Number(word) } : null;
}

/** Prints the process id of the command's parent. */
export const pidText = (folder: string): string => `${folderIs(folder)} cat "$d/pid"`;

/** Removes the folder. */
export const removeText = (folder: string): string => `${folderIs(folder)} rm -rf -- "$d"`;
