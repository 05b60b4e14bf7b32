// The text that turns a POSIX sh (dash, BusyBox ash) into our shell, where a host has no bash.
import { MARKER } from './kill-script.ts';
import { markerWord } from './nonce.ts';

/**
 * The same design as for bash (see bash-driver.ts), with what sh has:
 * - Redirections take one digit only, so control, output and error stand on 6, 7 and 8, a command's stdin on 5.
 * - `read` knows lines only: each field comes as a count of lines and the lines. Still no fork, no quoting.
 * - `command eval`, because sh leaves the shell when a plain `eval` meets a syntax error.
 * - No `jobs -p`: in dash it forgets the exit codes of jobs that have ended, which a later `wait` would ask for.
 */
const LOOP = [
  'until [ -n "${__pb_bye-}" ]; do {',
  '[ -z "${__pb_on-}" ] || __pb_end || { __pb_bye=1; continue; };',
  '__pb_cn=; IFS=" " command read -r __pb_cn __pb_dn __pb_in __pb_ia <&6 || { [ -n "${__pb_k-}" ] || __pb_bye=1; __pb_k=; continue; };',
  '[ -n "$__pb_cn" ] || { __pb_bye=1; continue; };',
  '__pb_lines "$__pb_dn"; __pb_d=$__pb_v; __pb_lines "$__pb_cn"; __pb_c=$__pb_v;',
  '__pb_p=$__pb_s; __pb_s=0 __pb_f= __pb_k=; __pb_on=1 __pb_if=/dev/null;',
  `command export "${MARKER}=$__pb_g.$((__pb_m=__pb_m+1)).";`,
  'if [ "$__pb_in" != - ]; then __pb_stdin; case $? in 0) ;; 3) __pb_s=1 __pb_f=I; continue;; *) __pb_lost;; esac; fi;',
  'if [ -n "$__pb_d" ]; then __pb_cd || { __pb_s=1 __pb_f=C; continue; }; fi;',
  '} >/dev/null 2>&1 || command exit "$__pb_s";',
  'command exec 5<"$__pb_if"; [ "$__pb_if" = /dev/null ] || __pb_rm;',
  'case ${__pb_x-} in',
  'x) { command set -x; __pb_q "$__pb_p"; command eval "$__pb_c" 0<&5 2>&8 5<&- 6<&- 7>&- 8>&-; __pb_s=$?; case $- in *x*) __pb_x=x; command set +x;; *) __pb_x=;; esac; } 2>/dev/null;;',
  '*) case $- in *e*) ;; *) { __pb_q "$__pb_p"; } >/dev/null 2>&1;; esac;',
  'command eval "$__pb_c" 0<&5 5<&- 6<&- 7>&- 8>&-; { __pb_s=$?; case $- in *x*) __pb_x=x; command set +x;; *) __pb_x=;; esac; } 2>/dev/null;;',
  'esac;',
  'done; [ -n "${__pb_bye-}" ] || command eval "$__pb_L"; __pb_q "$__pb_s"',
  // It is read again after a break of the user: an alias must not stand in.
]
  .map((part) => part.replaceAll('command ', '\\command '))
  .join(' ');

const FUNCTIONS = [
  '__pb_q() { return "$1"; };',
  // $__pb_nl is a newline; it comes from the greeting because this text is one line.
  '__pb_lines() { __pb_v= __pb_j=$1; while [ "$__pb_j" -gt 0 ]; do IFS= command read -r __pb_l <&6 || return 1; __pb_v=$__pb_v$__pb_l; __pb_j=$((__pb_j-1)); [ "$__pb_j" -gt 0 ] && __pb_v=$__pb_v$__pb_nl; done; return 0; };',
  '__pb_cd() { case $__pb_d in "~") __pb_d=$HOME;; "~/"*) __pb_d=$HOME/${__pb_d#??};; -*) __pb_d=./$__pb_d;; esac;',
  'CDPATH= command cd -- "$__pb_d" >/dev/null; };',
  '__pb_stdin() { __pb_t=${TMPDIR:-/tmp}; [ -d /dev/shm ] && [ -w /dev/shm ] && __pb_t=/dev/shm;',
  '__pb_u=$(command umask); command umask 077; __pb_t=$__pb_t/.patchbay-$$-$__pb_ia; __pb_r=;',
  '{ __pb_head; __pb_r=$?; } >"$__pb_t"; if [ "$__pb_r" = 0 ]; then __pb_if=$__pb_t; else __pb_rm; [ -z "$__pb_r" ] || return 1; __pb_head >/dev/null || return 1; __pb_r=3; fi;',
  'command umask "$__pb_u"; command printf "\\036%s\\037\\036%s\\006" "$__pb_ia" "$__pb_ia" >&7; return $__pb_r; };',
  '__pb_head() { command -p head -c "$__pb_in" <&6; case $? in 0) ;; 126|127) command head -c "$__pb_in" <&6;; *) return 1;; esac; };',
  '__pb_rm() { command -p rm -f "$__pb_t" 2>/dev/null || command rm -f "$__pb_t" 2>/dev/null || :; };',
  '__pb_lost() { __pb_on=; command printf "\\036%s\\037%s\\036%s\\006" "$__pb_ia" "${PWD:-.}" "$__pb_ia" >&7; command exit 1; };',
  '__pb_env() { command export -p && command printf "\\036%s\\035" "$__pb_n"; };',
  '__pb_end() { case $- in *x*) __pb_x=x; command set +x;; esac; __pb_on=;',
  '__pb_s=${__pb_k:-$__pb_s}; __pb_k= __pb_n=; IFS= command read -r __pb_n <&6 || [ -n "$__pb_k" ] || return 1; [ -n "$__pb_n" ] || return 1;',
  'command printf "\\036%s\\036" "$__pb_n" >&8 || return 1;',
  // For a directory that could not be entered, the shell's own reason stands where the job does.
  'if [ "$__pb_f" = C ]; then { command printf "\\036%s\\037%s\\037C\\037" "$__pb_n" "$__pb_s"; CDPATH= command cd -- "$__pb_d" 2>&7; command printf "\\037%s\\036%s\\034" "$PWD" "$__pb_n"; } >&7;',
  'else command printf "\\036%s\\037%s\\037%s\\037%s\\037%s\\036%s\\034" "$__pb_n" "$__pb_s" "$__pb_f" "${!-}" "$PWD" "$__pb_n" >&7; fi && __pb_env >&7; };',
  '__pb_exit() { { [ -n "${__pb_on-}" ] && { __pb_s=$1 __pb_f=E; __pb_end; }; } 2>/dev/null; };',
].join(' ');

/**
 * 130 unless the child that was waited for says how it ended. The error (a variable that is not set) leaves
 * functions, lists and loops alike, and `command eval` catches it; `break` would not leave a function.
 */
const BREAK = `'__pb_k=$?; [ -n "\${__pb_on-}" ] && { [ "$__pb_k" -gt 128 ] || __pb_k=130; { : "\${__pb_none?}"; } 2>/dev/null; }'`;

/** Text of the driver, one line; `greeting` is the nonce that its first report carries. */
export function shDriver(greeting: string): string {
  return [
    'command exec 6<&0 7>&1 8>&2 0</dev/null;',
    '__pb_on= __pb_s=0 __pb_x= __pb_k= __pb_m=0 __pb_nl=$(command printf "\\nx"); __pb_nl=${__pb_nl%x};',
    '__pb_w=$(command readlink "/proc/$$/exe" 2>/dev/null);',
    'case ${__pb_w##*/} in busybox*) __pb_w="BusyBox ash";; "") __pb_w=sh;; *) __pb_w=${__pb_w##*/};; esac;',
    FUNCTIONS,
    `command trap '__pb_exit "$?"' EXIT;`,
    `command trap ${BREAK} INT;`,
    `__pb_L='${LOOP}';`,
    `__pb_n=${greeting} __pb_g=${markerWord(greeting)}; { command printf "\\036%s\\037%s\\037%s\\037" ${greeting} "$__pb_w" "$$"; command umask; command printf "\\037%s\\036%s\\034" "$PWD" ${greeting}; __pb_env; } >&7;`,
    `command printf "\\036%s\\036" ${greeting} >&8;`,
    'command eval "$__pb_L"',
  ].join(' ');
}
