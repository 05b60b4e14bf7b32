// The text that turns a bash into our shell: reads commands from its control channel, runs them, reports their end.
import { MARKER } from './kill-script.ts';
import { markerWord } from './nonce.ts';

/**
 * How it works, and why so:
 * - Control, output and error channels live on descriptors 241-243, /dev/null on 244; a command gets none of them.
 * - Fields come NUL-terminated and are read by a builtin: no fork, and nothing is quoted.
 * - The nonce of a trailer is read only after the command, so no command can print it, whatever shell variables it shows.
 * - `eval` stands in no function: there `declare` would make locals. A `break` of the user then ends our loop, so the
 *   loop starts itself anew, and the same trick lets the INT trap abort a list, a loop or a builtin without a child.
 * - Traces (-x, -v) and the traps on DEBUG, ERR and RETURN are taken away after a command and put back by the first word
 *   of the next, so that they meet the user's text alone. A trap that the text itself sets meets one statement of ours,
 *   with its output on /dev/null; one that is set without its name in any text (inside a function) stays armed.
 * - Whatever fails in our own statements ends the loop and with it the shell: another takes its place, nothing hangs.
 * - jobs -p and the exported variables come after the trailer; the result waits for them, so that the next shell has them.
 */

/** Our channels are /dev/null for the command's group, then closed: closed at once, bash would keep the saved ones on 10 and up. */
const HIDDEN = '0<&"$__pb_in" 241<&244 242>&244 243>&244 244<&241';
const ALONE = 'exec 241<&- 242>&- 243>&- 244>&-; [[ $__pb_in = 244 ]] || exec 240<&-;';
/** First of all after a command; of `$-` the letters that trace. */
const STILL =
  '__pb_s=$? __pb_x=$-; case $__pb_x in *[xv]*) builtin set "${__pb_D-+xv}"; __pb_x=${__pb_x//[!xv]};; *) __pb_x=;; esac;';
const PLAINLY = `{ ${ALONE} [[ -o errexit ]] || __pb_q "$__pb_p"; builtin eval "$__pb_c"; } ${HIDDEN}; { ${STILL} } 2>&244;;`;
const GIVE_UP = '{ __pb_bye=1; continue; };';

const LOOP = [
  // Not while true: after the user's set -n nothing is run any more and all counts as true.
  'until [[ -n ${__pb_bye-} ]]; do {',
  '[[ -z ${__pb_a-} ]] || { __pb_a=; builtin shopt -s expand_aliases; };',
  // Here and not in a function: at its end, bash would bring the DEBUG trap back.
  '[[ -z ${__pb_ab-} ]] || builtin trap - "${__pb_D-DEBUG}";',
  `[[ -z \${__pb_on-} ]] || __pb_end || ${GIVE_UP}`,
  // The user may have made them readonly, integers or upper case.
  `builtin unset -v __pb_i __pb_d __pb_c || ${GIVE_UP}`,
  // TMOUT, which hosts export to log idle shells out, would end this read.
  `IFS= TMOUT= builtin read -r -d "" -u 241 __pb_i || { [[ $? -gt 128 ]] || __pb_bye=1; continue; };`,
  `IFS= TMOUT= builtin read -r -d "" -u 241 __pb_d && IFS= TMOUT= builtin read -r -d "" -u 241 __pb_c || ${GIVE_UP}`,
  '__pb_p=$__pb_s; __pb_s=0 __pb_f= __pb_k= __pb_in=244; __pb_on=1;',
  // What the processes of this command carry, so that a stop finds those that have left the tree.
  `builtin export "${MARKER}=$__pb_g.$((__pb_v+=1)).";`,
  'if [[ $__pb_i = *" "* ]]; then __pb_stdin; case $? in 0) ;; 3) __pb_s=1 __pb_f=I; continue;; *) __pb_lost;; esac; fi;',
  'if [[ -n $__pb_d ]]; then __pb_cd 2>&244 || { __pb_s=1 __pb_f=C; continue; }; fi;',
  // Descriptors that are gone (ulimit -n below them): another shell has to take over.
  '} >&244 2>&244 || builtin exit "$__pb_s";',
  // Not inside the group: an exec with redirections there makes bash forget to undo the group's own.
  '[[ $__pb_in = 244 ]] || { exec 240<"$__pb_in"; __pb_in=240; __pb_rm; };',
  // One program first: it is what costs the least to match.
  'case "$__pb_x$__pb_t$__pb_e$__pb_i $__pb_c" in',
  `"- "*) ${PLAINLY}`,
  // With traps or traces of the user, the first word of the text puts them back, so that they see nothing of ours.
  `[!-0-9\\ ]*|*DEBUG*|*ERR*|*RETURN*|*source*|*[!a-zA-Z0-9]". "*) { ${ALONE} case \${__pb_x-}\${__pb_t-}\${__pb_e-} in "") __pb_w=;; *) __pb_w="__pb_arm; ";; esac; __pb_q "$__pb_p"; builtin eval "$__pb_w$__pb_c";`,
  `{ ${STILL} __pb_u=$(builtin trap -p "\${__pb_D-DEBUG}") __pb_e=$(builtin trap -p ERR "\${__pb_D-RETURN}"); builtin trap - "\${__pb_D-DEBUG}" ERR RETURN; __pb_keep; } >/dev/null 2>&1; } ${HIDDEN};;`,
  `*) ${PLAINLY}`,
  'esac;',
  'done; { __pb_x=$-; builtin set "${__pb_D-+xv}"; __pb_x=${__pb_x//[!xv]}; case $__pb_t$__pb_e in "") ;; *) builtin trap - "${__pb_D-DEBUG}" ERR RETURN;; esac; __pb_fix; } 2>&244; [[ -n ${__pb_bye-} ]] || builtin eval "$__pb_L"; __pb_q "$__pb_s"',
].join(' ');

const FUNCTIONS = [
  '__pb_q() { return "$1"; };',
  // Runs as the first word of the user's text. In the RETURN trap, so that even the return of this function is over.
  '__pb_arm() { builtin trap "builtin trap - RETURN; builtin eval \\"\\$__pb_e\\"; builtin eval \\"\\$__pb_t\\"; [[ -z \\$__pb_x ]] || builtin set -\\$__pb_x" RETURN; return "$__pb_p"; };',
  '__pb_keep() { [[ -z $__pb_e ]] || __pb_e="trap -- ${__pb_e#*trap -- }"; case $__pb_u in "") __pb_t=;; *__pb_k*) ;; *) builtin eval "__pb_wrap -- ${__pb_u#*trap -- }";; esac; };',
  // The DEBUG trap of the user meets our own statements, too, and has to pass over them.
  `__pb_wrap() { [[ $2 = "case \\$BASH_COMMAND in *__pb_"* ]] && { __pb_t=$__pb_u; return; }; builtin printf -v __pb_t "builtin trap -- %q DEBUG" "case \\$BASH_COMMAND in *__pb_*) ;; *) $2"$'\\n'";; esac"; };`,
  // After a break that left the loop: what an abort has put in place goes, and the loop is read without aliases.
  '__pb_fix() { __pb_a=; builtin shopt -q expand_aliases && __pb_a=1; builtin shopt -u expand_aliases; };',
  '__pb_cd() { case $__pb_d in "~") __pb_d=$HOME;; "~/"*) __pb_d=$HOME/${__pb_d#??};; -*) __pb_d=./$__pb_d;; esac;',
  'CDPATH= builtin cd -- "$__pb_d" >&244; };',
  // Stdin goes through a file that is unlinked before the command starts: exact bytes, and what is not read harms nothing.
  '__pb_stdin() { local a=${__pb_i#* } n=${__pb_i% *} u r= t=${TMPDIR:-/tmp}; [[ -d /dev/shm && -w /dev/shm ]] && t=/dev/shm;',
  'u=$(builtin umask); builtin umask 077; __pb_in=244 __pb_o=$t/.patchbay-$$-$a;',
  // r stays empty when the file could not be made: then nothing was read yet, and all of it is read to nowhere.
  '{ __pb_head "$n"; r=$?; } >"$__pb_o"; if [[ $r = 0 ]]; then __pb_in=$__pb_o; else __pb_rm; [[ -z $r ]] || return 1; __pb_head "$n" >&244 || return 1; r=3; fi;',
  'builtin umask "$u"; builtin printf "\\036%s\\037\\036%s\\006" "$a" "$a" >&242; return $r; };',
  // The default PATH first: the one of the user may be broken. 126 and 127: it did not start, so it has read nothing.
  '__pb_head() { command -p head -c "$1" 0<&241; case $? in 0) ;; 126|127) command head -c "$1" 0<&241;; *) return 1;; esac; };',
  '__pb_rm() { command -p rm -f "$__pb_o" 2>&244 || command rm -f "$__pb_o" 2>&244 || :; };',
  // Nobody knows how much of stdin is still in the control channel: reading on would run it as commands.
  '__pb_lost() { __pb_on=; builtin printf "\\036%s\\037%s\\036%s\\006" "${__pb_i#* }" "${PWD:-.}" "${__pb_i#* }" >&242; builtin exit 1; };',
  '__pb_plain() { ! builtin declare -F -- "$1" >&244 && ! builtin alias -- "$1" >&244 2>&244; };',
  '__pb_env() { [[ -z ${!-} ]] || builtin jobs -p; builtin declare -px && builtin printf "\\036%s\\035" "$__pb_n"; };',
  // Whatever of it fails (enable -n printf, a channel closed or taken for a file), the shell is given up.
  '__pb_end() { __pb_on=; [[ -z ${__pb_ab-} ]] || __pb_over;',
  '__pb_s=${__pb_k:-$__pb_s}; builtin unset -v __pb_n && __pb_n= || return 1;',
  'IFS= TMOUT= builtin read -r -d "" -u 241 __pb_n || [[ $? -gt 128 ]] || return 1; [[ -n $__pb_n ]] || { __pb_bye=1; return 1; };',
  // 1 also where eval itself could not be run (enable -n eval): nobody would be told that no text runs any more.
  '[[ $__pb_s != 1 ]] || builtin eval : 2>&244 || __pb_f=E __pb_bye=1;',
  // Only where the host shows descriptors as files; the channels are pipes or sockets.
  '[[ $__pb_i = - || ! -e /dev/fd/242 || -p /dev/fd/242 || -S /dev/fd/242 ]] || return 1;',
  // A plain program cannot change variables: then the (empty) dump goes into the same packet as the result.
  '__pb_m=; [[ $__pb_i = - && -z $__pb_f ]] && __pb_plain "${__pb_c%% *}" && __pb_m=$__pb_z$__pb_n$__pb_y;',
  'builtin printf "\\036%s\\036" "$__pb_n" >&243 || return 1;',
  // For a directory that could not be entered, the shell's own reason stands where the job does.
  'if [[ $__pb_f = C ]]; then { builtin printf "\\036%s\\037%s\\037C\\037" "$__pb_n" "$__pb_s"; CDPATH= builtin cd -- "$__pb_d" 2>&242; builtin printf "\\037%s\\036%s\\034" "$PWD" "$__pb_n"; } >&242;',
  'else builtin printf "\\036%s\\037%s\\037%s\\037%s\\037%s\\036%s\\034%s" "$__pb_n" "$__pb_s" "$__pb_f" "${!-}" "$PWD" "$__pb_n" "$__pb_m" >&242; fi && { [[ -n $__pb_m ]] || __pb_env >&242; }; };',
  '__pb_exit() { { [[ -z ${__pb_on-} ]] || { __pb_s=$1 __pb_f=E; __pb_end; }; } 2>/dev/null; };',
  '__pb_over() { [[ $__pb_ab = d ]] || builtin shopt -u extdebug; __pb_ab=; };',
  // A function of the user called return would call itself without end.
]
  .map((part) => part.replaceAll(/\breturn\b/g, 'builtin return'))
  .join(' ');

/**
 * 130 unless the child that was waited for says how it ended. A trap can leave loops and lists, or one function: in
 * functions, a DEBUG trap that skips every statement leaves the others. There is none for TERM: a child that is
 * signalled before it has put its own traps back would lose the signal, and `job & kill $!` would leave the job; INT is
 * ignored in background jobs anyway.
 */
const BREAK = [
  `'__pb_k=$?; [[ -z \${__pb_on-} ]] || { [[ $__pb_k -gt 128 ]] || __pb_k=130;`,
  '[[ ${#FUNCNAME[@]} -gt 0 ]] || break 999;',
  '__pb_ab=d; builtin shopt -q extdebug || { __pb_ab=x; builtin shopt -s extdebug; };',
  'builtin trap "[[ \\$BASH_COMMAND = *__pb_* ]] || { [[ \\${#FUNCNAME[@]} -gt 0 ]] && builtin return \\$__pb_k; ! break 999; }" DEBUG;',
  `builtin return "$__pb_k"; }'`,
].join(' ');

/** Text of the driver, one line; `greeting` is the nonce that its first report carries. */
export function bashDriver(greeting: string): string {
  return [
    'exec 241<&0 242>&1 243>&2 244<>/dev/null 0<&244; builtin shopt -s expand_aliases;',
    "__pb_on= __pb_s=0 __pb_x= __pb_k= __pb_t= __pb_e= __pb_v=0 __pb_z=$'\\036' __pb_y=$'\\035';",
    FUNCTIONS,
    `builtin trap '__pb_exit "$?"' EXIT;`,
    `builtin trap ${BREAK} INT;`,
    `__pb_L='${LOOP}';`,
    `__pb_n=${greeting} __pb_g=${markerWord(greeting)}; { builtin printf "\\036%s\\037bash %s\\037%s\\037" ${greeting} "$BASH_VERSION" "$$"; builtin umask; builtin printf "\\037%s\\036%s\\034" "$PWD" ${greeting}; __pb_env; } >&242;`,
    `builtin printf "\\036%s\\036" ${greeting} >&243;`,
    'builtin eval "$__pb_L"',
  ].join(' ');
}
