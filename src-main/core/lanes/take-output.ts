// Stores a piece of a command's output within its limit, and holds the sender back while the disk is behind.
import type { StreamName } from '../../../src-shared/model/index.ts';
import type { CommandRun } from './command-run.ts';
import type { LaneHooks, LaneLimits } from './port.ts';

/** Whoever sends output and can be held back. */
export interface OutputSource {
  pause(): void;
  resume(): void;
}

/** What taking output needs. */
export interface TakeOutputParts {
  readonly limits: LaneLimits;
  readonly onOutput: LaneHooks['onOutput'];
  /** The command is to be stopped; a sentence why. */
  readonly stop: (run: CommandRun, notice: string) => void;
}

/** One piece from the host. */
export interface Piece {
  readonly stream: StreamName;
  readonly bytes: Buffer;
}

/** Takes one piece; what comes after the end is nobody's. */
export function takeOutput(
  parts: TakeOutputParts,
  run: CommandRun,
  source: OutputSource,
  { stream, bytes }: Piece,
): void {
  if (run.final) return;
  const limit = parts.limits.spoolBytes;
  const room = limit === 0 ? bytes.length : limit - run.spools.stdout.length - run.spools.stderr.length;
  const kept = room >= bytes.length ? bytes : bytes.subarray(0, Math.max(0, room));
  const offset = kept.length === 0 ? null : run.store(stream, kept);
  if (offset !== null) parts.onOutput?.(run, stream, kept, offset);
  if (kept.length < bytes.length) {
    parts.stop(run, `The command was stopped: its output reached the limit of ${limit} bytes (SPOOL_LIMIT).`);
  }
  const spool = run.spools[stream];
  if (!spool.full) return;
  source.pause();
  void spool.drained().then(() => source.resume());
}
