// Keeps the run file in place while Patchbay runs: without it no bridge and no second start finds the app.
import { reasonOf } from './core/config/system-error.ts';
import { readRunFile } from './core/config/run-file.ts';
import { systemClock } from './core/clock.ts';
import type { CancelTimer } from './core/clock.ts';
import type { Log } from './core/core.ts';

/** Time between two looks at the file. */
const LOOK_EVERY_MS = 2000;

/** What the keeper stands on. */
export interface KeeperParts {
  readonly dataDir: string;
  readonly log: Log;
  /** Writes the run file as it has to be now. */
  readonly announce: () => Promise<void>;
}

/**
 * Looks every two seconds, and writes the file again when it is missing or damaged; the one of another process stays.
 * The result stops it and resolves when nothing is written any more; neither rejects.
 */
export function keepRunFile({ dataDir, log, announce }: KeeperParts): () => Promise<void> {
  let stopped = false;
  let failing = false;
  let cancel: CancelTimer;
  let looking: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    try {
      if ((await readRunFile(dataDir)) === undefined && !stopped) {
        await announce();
        log.warn('the run file was missing or damaged and was written again');
      }
      failing = false;
    } catch (error) {
      if (!failing) log.error('the run file cannot be kept', { reason: reasonOf(error) });
      failing = true;
    }
    if (!stopped) plan();
  };
  const plan = (): void => {
    cancel = systemClock.after(LOOK_EVERY_MS, () => {
      looking = look();
    });
  };
  plan();
  return () => {
    stopped = true;
    cancel();
    return looking;
  };
}
