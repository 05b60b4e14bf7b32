// Exit codes of commands that a signal ended.

/** Numbers that Linux, macOS and the BSDs share, and Linux's for the rest. */
const NAMES: Readonly<Record<number, string>> = {
  ...{ 1: 'HUP', 2: 'INT', 3: 'QUIT', 4: 'ILL', 5: 'TRAP', 6: 'ABRT', 7: 'BUS', 8: 'FPE', 9: 'KILL', 10: 'USR1' },
  ...{ 11: 'SEGV', 12: 'USR2', 13: 'PIPE', 14: 'ALRM', 15: 'TERM', 24: 'XCPU', 25: 'XFSZ', 31: 'SYS' },
};

/** Name of the signal that an exit code of 128+n stands for, null if it stands for none. */
export function signalOfExitCode(code: number): string | null {
  return code > 128 ? (NAMES[code - 128] ?? null) : null;
}

/** 128+n for a signal's name; null when the name is not known. */
export function exitCodeOfSignal(name: string): number | null {
  const entry = Object.entries(NAMES).find(([, known]) => known === name);
  return entry === undefined ? null : 128 + Number(entry[0]);
}
