// The text that turns a bash into our shell: reads commands from its control channel, runs them, reports their end.

/**
 * How it works, and why so:
 * - Control, output and error channels live on descriptors 241-243, /dev/null on 244; a command gets none of them.
 * - Fields come NUL-terminated and are read by a builtin: no fork, and nothing is quoted.
 * - The nonce of a trailer is read only after the command, so no command can print it, whatever shell variables it shows.
 * - `eval` stands in no function: there `declare` would make locals. A `break` of the user then ends our loop, so the
 *   loop starts itself anew, and the same trick lets the INT trap abort a list, a loop or a builtin without a child.
 * - Our own statements run with stderr on /dev/null: with `set -x` their trace stays out of the user's output.
 * - jobs -p and the exported variables come after the trailer; the result waits for them, so that the next shell has them.
 */
const LOOP = [
  // until false, not while true: after the user's set -n nothing is run any more and all counts as true.
  'until builtin false; do {',
  '[[ -n ${__pb_on-} ]] && __pb_end;',
  // TMOUT, which hosts export to log idle shells out, would end this read.
  'IFS= TMOUT= builtin read -r -d "" -u 241 __pb_i || { [[ $? -gt 128 ]] && continue; builtin exit 0; };',
  'IFS= TMOUT= builtin read -r -d "" -u 241 __pb_d; IFS= TMOUT= builtin read -r -d "" -u 241 __pb_c;',
  '__pb_p=$__pb_s; __pb_s=0 __pb_f= __pb_k= __pb_in=244; __pb_on=1;',
  'if [[ $__pb_i = *" "* ]]; then __pb_stdin; case $? in 0) ;; 3) __pb_s=1 __pb_f=I; continue;; *) __pb_lost;; esac; fi;',
  'if [[ -n $__pb_d ]]; then __pb_cd || { __pb_s=1 __pb_f=C; continue; }; fi;',
  // Descriptors that are gone (ulimit -n below them): another shell has to take over.
  '} >&244 2>&244 || builtin exit "$__pb_s";',
  // Not inside the group: an exec with redirections there makes bash forget to undo the group's own.
  '[[ $__pb_in = 244 ]] || { exec 245<"$__pb_in"; __pb_in=245; __pb_rm; };',
  'case ${__pb_x-} in',
  // With -x on, the trace of this eval itself has to go to /dev/null, the command's to stderr.
  'x) { builtin set -x; __pb_q "$__pb_p"; builtin eval "$__pb_c" 0<&"$__pb_in" 2>&243 241<&- 242>&- 243>&- 244>&- 245<&-; __pb_s=$?; case $- in *x*) __pb_x=x; builtin set +x;; *) __pb_x=;; esac; } 2>&244;;',
  '*) case $- in *e*) ;; *) { __pb_q "$__pb_p"; } >&244 2>&244;; esac;',
  'builtin eval "$__pb_c" 0<&"$__pb_in" 241<&- 242>&- 243>&- 244>&- 245<&-; { __pb_s=$?; case $- in *x*) __pb_x=x; builtin set +x;; *) __pb_x=;; esac; } 2>&244;;',
  'esac;',
  'done; builtin eval "$__pb_L"',
].join(' ');

const FUNCTIONS = [
  '__pb_q() { return "$1"; };',
  '__pb_cd() { case $__pb_d in "~") __pb_d=$HOME;; "~/"*) __pb_d=$HOME/${__pb_d#??};; -*) __pb_d=./$__pb_d;; esac;',
  'CDPATH= builtin cd -- "$__pb_d" >&244 2>&243; };',
  // Stdin goes through a file that is unlinked before the command starts: exact bytes, and what is not read harms nothing.
  '__pb_stdin() { local a=${__pb_i#* } n=${__pb_i% *} u r= t=${TMPDIR:-/tmp}; [[ -d /dev/shm && -w /dev/shm ]] && t=/dev/shm;',
  'u=$(builtin umask); builtin umask 077; __pb_t=$t/.patchbay-$$-$a;',
  // r stays empty when the file could not be made: then nothing was read yet, and all of it is read to nowhere.
  '{ __pb_head "$n"; r=$?; } >"$__pb_t"; if [[ $r = 0 ]]; then __pb_in=$__pb_t; else __pb_rm; [[ -z $r ]] || return 1; __pb_head "$n" >&244 || return 1; r=3; fi;',
  'builtin umask "$u"; builtin printf "\\036%s\\037\\036%s\\006" "$a" "$a" >&242; return $r; };',
  // The default PATH first: the one of the user may be broken. 126 and 127: it did not start, so it has read nothing.
  '__pb_head() { command -p head -c "$1" 0<&241; case $? in 0) ;; 126|127) command head -c "$1" 0<&241;; *) return 1;; esac; };',
  '__pb_rm() { command -p rm -f "$__pb_t" 2>&244 || command rm -f "$__pb_t" 2>&244 || :; };',
  // Nobody knows how much of stdin is still in the control channel: reading on would run it as commands.
  '__pb_lost() { __pb_on=; builtin printf "\\036%s\\037%s\\036%s\\006" "${__pb_i#* }" "${PWD:-.}" "${__pb_i#* }" >&242; builtin exit 1; };',
  '__pb_plain() { ! builtin declare -F -- "$1" >&244 && ! builtin alias -- "$1" >&244 2>&244; };',
  '__pb_env() { [[ -n ${!-} ]] && builtin jobs -p; builtin declare -px; builtin printf "\\036%s\\035" "$__pb_n"; };',
  '__pb_end() { case $- in *x*) __pb_x=x; builtin set +x;; esac; __pb_on=;',
  '__pb_s=${__pb_k:-$__pb_s}; IFS= TMOUT= builtin read -r -d "" -u 241 __pb_n || [[ $? -gt 128 ]] || builtin exit "$__pb_s";',
  // A plain program cannot change variables: then the (empty) dump goes into the same packet as the result.
  '__pb_m=; [[ $__pb_i = - && $__pb_f != E ]] && __pb_plain "${__pb_c%% *}" && __pb_m=$__pb_z$__pb_n$__pb_y;',
  'builtin printf "\\036%s\\036" "$__pb_n" >&243;',
  'builtin printf "\\036%s\\037%s\\037%s\\037%s\\037%s\\036%s\\034%s" "$__pb_n" "$__pb_s" "$__pb_f" "${!-}" "$PWD" "$__pb_n" "$__pb_m" >&242; [[ -n $__pb_m ]] || __pb_env >&242; };',
  '__pb_exit() { { [[ -n ${__pb_on-} ]] && { __pb_s=$1 __pb_f=E; __pb_end; }; } 2>&244; };',
].join(' ');

/** 130 or 143 unless the child that was waited for says how it ended. */
const BREAK = (status: number): string =>
  // In a function of the user only that function can be left; the next signal leaves the next one.
  `'__pb_k=$?; [[ -n \${__pb_on-} ]] && { [[ $__pb_k -gt 128 ]] || __pb_k=${status}; [[ \${#FUNCNAME[@]} -gt 0 ]] && return "$__pb_k"; break 999; }'`;

/** Text of the driver, one line; `greeting` is the nonce that its first report carries. */
export function bashDriver(greeting: string): string {
  return [
    'exec 241<&0 242>&1 243>&2 244<>/dev/null 0<&244; builtin shopt -s expand_aliases;',
    "__pb_on= __pb_s=0 __pb_x= __pb_k= __pb_z=$'\\036' __pb_y=$'\\035';",
    FUNCTIONS,
    `builtin trap '__pb_exit "$?"' EXIT;`,
    `builtin trap ${BREAK(130)} INT; builtin trap ${BREAK(143)} TERM;`,
    `__pb_L='${LOOP}';`,
    `__pb_n=${greeting}; { builtin printf "\\036%s\\037bash %s\\037%s\\037" ${greeting} "$BASH_VERSION" "$$"; builtin umask; builtin printf "\\037%s\\036%s\\034" "$PWD" ${greeting}; __pb_env; } >&242;`,
    `builtin printf "\\036%s\\036" ${greeting} >&243;`,
    'builtin eval "$__pb_L"',
  ].join(' ');
}
