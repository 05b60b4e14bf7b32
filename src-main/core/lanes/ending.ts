// What a run's end means for its result.
import type { RunEnd } from '../shells/live-shell.ts';
import type { Ending, StopReason } from './command-run.ts';
import { exitCodeOfSignal, signalOfExitCode } from './signals.ts';

/** Status, code and signal name for the end of a run. */
export function endingOf(
  end: RunEnd,
  stopReason: StopReason | null,
  workingDir: string | null,
  shellRestarted: boolean,
): Ending {
  const exitCode = exitCodeOf(end);
  const status = stopReason ?? (exitCode === null ? 'lost' : 'exited');
  const signal =
    end.kind === 'gone' && end.signal !== null ? end.signal : exitCode === null ? null : signalOfExitCode(exitCode);
  return { status, exitCode, signal, workingDir, shellRestarted };
}

/** Why the command text was not run, for the assistant; null when it was. */
export function faultNotice(end: RunEnd): string | null {
  if (end.kind === 'gone' || end.fault === 'none') return null;
  if (end.fault === 'directory') return 'The command was not run: workingDir could not be entered (see stderr).';
  return 'The command was not run: its stdin could not be stored on the host (no space or no temporary folder).';
}

function exitCodeOf(end: RunEnd): number | null {
  if (end.kind !== 'gone') return end.status;
  if (end.exitCode !== null) return end.exitCode;
  return end.signal === null ? null : (exitCodeOfSignal(end.signal) ?? 128);
}
