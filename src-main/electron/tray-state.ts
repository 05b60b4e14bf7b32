// What the tray icon shows: which jack, and the line beside it. Free of Electron.
import type { PauseState, SessionView } from '../../src-shared/model/index.ts';

/** What the icon shows. */
export interface TrayState {
  readonly sessions: readonly Pick<SessionView, 'lease'>[];
  readonly pause: PauseState;
}

/** The jack that the icon is: paused before you, you before an assistant, else idle. */
export type Jack = 'idle' | 'agent' | 'you' | 'paused';

/** Which jack a state is. */
export function jackOf({ sessions, pause }: TrayState): Jack {
  if (pause !== 'off') return 'paused';
  const holders = new Set(sessions.map(({ lease }) => lease.holder));
  if (holders.has('person')) return 'you';
  return holders.has('agent') ? 'agent' : 'idle';
}

/** The line shown when the pointer rests on the icon. */
export function tooltipOf({ sessions, pause }: TrayState): string {
  const count = sessions.length === 1 ? '1 session' : `${sessions.length} sessions`;
  return pause === 'off' ? `Patchbay: ${count}` : `Patchbay: assistants paused, ${count}`;
}
