// What happens with a fault that nobody caught: it is logged and shown, and everybody else's sessions go on.
import type { Running } from './running.ts';

/** Catches the faults of this process for as long as it lives. */
export function keepGoing(running: Pick<Running, 'core' | 'log'>): void {
  const report = (error: unknown): void => {
    const stack = error instanceof Error ? error.stack : undefined;
    running.log.error('a fault that nobody caught', { error, stack });
    running.core.cards.addFault('Patchbay met a fault of its own', 'Sessions go on. The log file has the details.');
  };
  process.on('uncaughtException', report);
  process.on('unhandledRejection', report);
}
