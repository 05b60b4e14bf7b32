// The one switch that stops all assistants.
import { appError } from '../../../src-shared/errors.ts';
import type { Actor, PauseState } from '../../../src-shared/model/index.ts';
import type { Pause } from '../sessions/port.ts';

/** What the switch acts on. */
export interface PauseOptions {
  /** Called after each change, before anything is cancelled. */
  readonly onChange: (state: PauseState, actor: Actor) => void;
  /** Cancels everything that runs or waits for assistants; resolves when it has ended. */
  readonly cancelForAssistants: () => Promise<void>;
}

/** Makes the switch, off. */
export function createPause(options: PauseOptions): Pause {
  let current: PauseState = 'off';
  return {
    get state() {
      return current;
    },
    async set(state, actor) {
      if (state !== current) {
        current = state;
        options.onChange(state, actor);
      }
      // Pressing it again cancels again: something may have been left.
      if (state === 'all') await options.cancelForAssistants();
    },
    check() {
      if (current !== 'off') throw appError('PAUSED');
    },
  };
}
