// The text that signals everything a command started, run on a second channel beside the shell.

/** The exec request; every login shell reads it alike, and sh reads the script from stdin. */
export const KILL_LINE = 'exec sh';

/** Exported for each command with a value of its own, so that what has left the process tree (setsid, double fork) is found. */
export const MARKER = 'PATCHBAY_COMMAND';

/** Whom to signal, and how. */
export interface KillOrder {
  /** Process id of the shell whose command is to be stopped. */
  readonly shellPid: number;
  /** What the command's processes carry as {@link MARKER} in their environment. */
  readonly marker?: string;
  /** Signal nobody unless the shell's own text holds this word: by now its process id may belong to another. */
  readonly onlyIf?: string;
  /** Background jobs of earlier commands: they and their children are left alone. */
  readonly spared: readonly number[];
  readonly signal: 'INT' | 'TERM' | 'KILL';
  /** What the shell itself gets. */
  readonly toShell: 'INT' | 'TERM' | 'KILL' | 'nothing';
}

/**
 * Text for the stdin of {@link KILL_LINE}. The shell itself gets INT or TERM first: its trap leaves
 * loops and lists once the child is gone, so the child must not go before the trap is pending. Prints how many
 * processes beside the shell there were.
 * Processes are found by walking /proc, or by `ps` where there is none; those that have left the tree by the marker in
 * their environment, where /proc shows it. One pass: the sender repeats it until the
 * command has ended, so that no pass can meet the command after it.
 */
export function killText(order: KillOrder): string {
  const spared = order.spared.filter(Number.isSafeInteger).join(' ');
  return [
    'pairs() { if [ -r /proc/self/stat ]; then for f in /proc/[0-9]*/stat; do { IFS= read -r l <"$f"; } 2>/dev/null || continue; set -- ${l##*) }; p=${f#/proc/}; echo "${p%/stat} $2"; done;',
    'else ps -A -o pid= -o ppid= 2>/dev/null || ps -o pid,ppid; fi; };',
    // Files that hold a word. The grep of BusyBox sees nothing behind the first NUL of a line.
    'holding() { w=$1; shift; if printf \'a\\000b\' | grep -qF b; then grep -lsF "$w" "$@";',
    'else for f in "$@"; do [ -r "$f" ] && tr "\\000" "\\n" 2>/dev/null <"$f" | grep -qF "$w" && echo "$f"; done; fi; } 2>/dev/null;',
    order.onlyIf === undefined
      ? ''
      : `[ -n "$(holding '${order.onlyIf}' /proc/${order.shellPid}/cmdline)" ] || exit 0;`,
    `spare=" ${spared} ";`,
    // One pass per generation over a list that is read once: children of what is known already.
    `tree() { all=$(pairs); known=" ${order.shellPid} $1"; new=1; while [ "$new" = 1 ]; do new=0; while read -r p q; do case $spare in *" $p "*) continue;; esac; case $known in *" $p "*) continue;; *" $q "*) known="$known$p "; new=1;; esac; done <<E`,
    '$all',
    'E',
    'done; };',
    'tree "";',
    // Those that carry the marker, and what descends from them.
    order.marker === undefined
      ? 'far=;'
      : `far=; for f in $(holding '${MARKER}=${order.marker}' /proc/[0-9]*/environ); do p=\${f#/proc/}; p=\${p%/environ}; case $known$spare in *" $p "*) ;; *) far="$far$p ";; esac; done;`,
    '[ -z "$far" ] || tree "$far";',
    order.toShell === 'nothing' ? '' : `kill -${order.toShell} ${order.shellPid} 2>/dev/null;`,
    `n=0; for p in $known; do [ "$p" = ${order.shellPid} ] || { n=$((n+1)); kill -${order.signal} "$p" 2>/dev/null; }; done;`,
    'echo "$n";',
    'exit 0',
    '',
  ].join('\n');
}
