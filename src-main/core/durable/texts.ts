// Shell texts that start, follow and clear away a durable command on its host. POSIX sh; `d` is its folder.
import { quoteWord } from '../shells/environment.ts';
import { MARKER } from '../shells/kill-script.ts';

/** What a state text printed, read. */
export type JobState = { readonly kind: 'alive' | 'gone' } | { readonly kind: 'ended'; readonly exitCode: number };

/** Variable `d`, for the texts below. */
const folderIs = (folder: string): string => `d=${quoteWord(folder)};`;

/** Folders in which a command's own folder may be made. The home folder first: it outlives a log-out and a restart. */
const BASES = '"${XDG_CACHE_HOME:-$HOME/.cache}" "$HOME" "${TMPDIR:-/tmp}" /tmp';

/** Days after which a folder that nobody came back for is removed; a command may run for one day at most. */
const KEPT_DAYS = 30;

/**
 * Files that are written while the command runs. They get their room on the disk beforehand and are written in place
 * (`1<>`, always the same length), so that a disk that is full by then costs no exit code.
 */
const WIDTHS = { boot: 64, 'pid.new': 16, 'code.new': 16, follower: 48 } as const;
const FILES = ['boot', 'pid.new', 'code.new', 'follower'] as const;
const line = (name: keyof typeof WIDTHS): string => `printf '%-${WIDTHS[name]}s\\n'`;

/** Sets `b` and `s` to this boot and to the time at which process $1 has started; `z` to its state. 0 where unknown. */
const MOMENT = [
  'moment() { p=$1; b=; s=; z=; [ -r /proc/sys/kernel/random/boot_id ] && read -r b </proc/sys/kernel/random/boot_id;',
  '[ -r "/proc/$p/stat" ] && read -r s <"/proc/$p/stat" && set -- ${s##*) } && z=$1 s=${20}; b=${b:-0} s=${s:-0}; } 2>/dev/null;',
].join(' ');

/**
 * `alive` succeeds while the process that ran the command lives: the one that was started, not another that has its
 * number by now, and not a dead one that nobody has waited for.
 */
const ALIVE = [
  MOMENT,
  'alive() { q=; read -r q <"$d/pid" && [ -n "$q" ] || return 1; c=; read -r c <"$d/boot"; moment "$q";',
  '[ "$c" = "$b $s" ] && [ "$z" != Z ] && kill -0 "$q"; } 2>/dev/null;',
].join(' ');

/**
 * Makes a folder of its own (0700, a name that cannot be guessed), stores the command's text from stdin in it and
 * prints its path; fails, leaving nothing, where no folder with room can be made.
 */
export function prepareText(id: string): string {
  const name = quoteWord(`patchbay-${id}`);
  const names = FILES.map((file) => `${line(file)} none >"$d/${file}"`);
  return [
    `( umask 077; d=; for b in ${BASES}; do`,
    `mkdir -p -- "$b" 2>/dev/null; d=$b/${name}; mkdir -- "$d" 2>/dev/null || { d=; continue; };`,
    `{ ${names.join(' && ')}; } 2>/dev/null && break; rm -rf -- "$d"; d=; done;`,
    '[ -n "$d" ] || exit 1; cat >"$d/command" && : >"$d/out" && : >"$d/err" && printf %s "$d" || { rm -rf -- "$d"; exit 1; } )',
  ].join(' ');
}

/** Stores the command's own stdin. */
export function stdinText(folder: string): string {
  return `( umask 077; ${folderIs(folder)} cat >"$d/stdin" )`;
}

/**
 * Starts the command so that nothing of this connection ends it. Its parent writes process id and boot first and the
 * exit code last, each whole or not at all, and runs nothing where it cannot. The text is read by `eval` in a shell of
 * its own, so that messages name that shell as they do for other commands. Succeeds when the parent runs.
 */
export function startText(folder: string, shell: 'bash' | 'sh'): string {
  const command = `${shell} -c ${quoteWord('eval "shift; $(cat "$1")"')} ${shell} "$d/command"`;
  const parent = [
    `d=$1; trap : INT TERM QUIT; i=/dev/null; [ -f "$d/stdin" ] && i=$d/stdin; ${MOMENT} moment $$;`,
    `${line('boot')} "$b $s" 1<>"$d/boot" && ${line('pid.new')} $$ 1<>"$d/pid.new" && mv "$d/pid.new" "$d/pid" || exit 1;`,
    `export ${MARKER}="\${d##*/}.";`,
    `${command} <"$i" >>"$d/out" 2>>"$d/err"; c=$?;`,
    `${line('code.new')} "$c" 1<>"$d/code.new"; mv "$d/code.new" "$d/code"`,
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
    `${line('follower')} ${word} 1<>"$d/follower";`,
    `tail -c +${from.stdout + 1} -f "$d/out" 2>/dev/null & x=$!;`,
    `tail -c +${from.stderr + 1} -f "$d/err" >&2 2>/dev/null & y=$!;`,
    'f=; while [ ! -f "$d/code" ] && alive; do',
    // Where it could not be written nobody else could either.
    `read -r f <"$d/follower" || f=none; [ "$f" = ${word} ] || [ "$f" = none ] || break;`,
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
  // `none`: it has ended, and its code could not be written.
  if (word === 'none') return { kind: 'gone' };
  if (word === 'alive' || word === 'gone') return { kind: word };
  return /^\d{1,3}$/.test(word) ? { kind: 'ended', exitCode: Number(word) } : null;
}

/** Prints the process id of the command's parent; fails when that process is gone, whoever has its number now. */
export const pidText = (folder: string): string => `${ALIVE} ${folderIs(folder)} alive && echo "$q"`;

/** What the command's processes carry in their environment, as `markerOf` of a signal wants it. */
export const markerOf = (folder: string): string => `${folder.slice(folder.lastIndexOf('/') + 1)}.`;

/** Removes the folder. */
export const removeText = (folder: string): string => `${folderIs(folder)} rm -rf -- "$d"`;

/** Removes folders of this account that nobody came back for in {@link KEPT_DAYS} days and whose command has ended. */
export const sweepText = (): string =>
  [
    `${ALIVE} for e in ${BASES}; do for d in "$e"/patchbay-*; do`,
    '[ -d "$d" ] && [ ! -h "$d" ] && [ -O "$d" ] && [ -f "$d/command" ] && ! alive || continue;',
    `[ -n "$(find "$d" -prune -mtime +${KEPT_DAYS} 2>/dev/null)" ] && rm -rf -- "$d"; done; done; :`,
  ].join(' ');
