// Bars below the top: the line is away, assistants are paused.
import { Pause, WifiOff } from 'lucide-react';
import { secondsUntil } from '../../format/time.ts';
import { useApp, useLink, useNow, usePatchbay } from '../../state/context.ts';
import { Button, CommandButton } from '../controls/button.tsx';

/** Says that what is on screen is not live, and when the next try is. */
export function LineBar() {
  const { link } = usePatchbay();
  const phase = useLink((state) => state.phase);
  const now = useNow();
  if (phase.kind === 'online') return null;
  const left = phase.kind === 'waiting' ? secondsUntil(phase.retryAt, now) : 0;
  return (
    <div className="bar warn" role="status">
      <WifiOff size={16} strokeWidth={1.6} aria-hidden />
      <span>
        <b>Reconnecting to Patchbay.</b> What you see may be out of date; sessions go on meanwhile.
      </span>
      <span className="figures">{left > 0 ? `Next try in ${left} s` : 'Trying now'}</span>
      <Button small onClick={() => link.hurry()}>
        Try now
      </Button>
    </div>
  );
}

/** Says that assistants may not type. */
export function PauseBar() {
  const pause = useApp((state) => state.pause);
  if (pause === 'off') return null;
  return (
    <div className="bar quiet" role="status">
      <Pause size={16} strokeWidth={1.6} aria-hidden />
      <span>
        <b>All assistants are paused.</b>{' '}
        {pause === 'input'
          ? 'They start nothing new; commands that run go on.'
          : 'They start nothing new, and what ran for them was cancelled.'}
      </span>
      <CommandButton id="pause.off" kind="accent" short="Resume all" withIcon />
    </div>
  );
}
