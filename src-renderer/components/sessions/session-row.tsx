// One row of the session list: who drives, where, what runs, how it ended, how the line is.
import { actorLabel } from '../../../src-shared/model/index.ts';
import type { SessionView } from '../../../src-shared/model/index.ts';
import { addressOf, oneLine } from '../../format/text.ts';
import { ago, clock, moment, secondsUntil } from '../../format/time.ts';
import { usePatchbay, useNow } from '../../state/context.ts';
import { Jack, jackOf } from '../controls/jack.tsx';

/** Round-trip times from which a line counts as slow. */
const SLOW_MS = 250;

/** What stands at the right: health of the line, or what is wrong with it. */
function Health({ session, now }: { readonly session: SessionView; readonly now: number }) {
  switch (session.status) {
    case 'connected':
      if (session.rttMs === null) return null;
      return (
        <span className={session.rttMs < SLOW_MS ? 'tone-ok' : 'tone-warn'} title="Round trip of the last keep-alive">
          {Math.max(1, Math.round(session.rttMs))} ms
        </span>
      );
    case 'reconnecting':
      return (
        <span className="tone-bad">
          {session.retryAt === null ? 'reconnecting' : `retry in ${secondsUntil(session.retryAt, now)} s`}
        </span>
      );
    case 'connecting':
      return <span>connecting</span>;
    case 'needs_connect':
      return <span className="tone-warn">not connected</span>;
    case 'lost':
    case 'closed':
      return <span className="tone-bad">{session.status}</span>;
    default:
      return session.status satisfies never;
  }
}

/** The word that belongs to the jack. */
export function driverWord(session: SessionView): string {
  if (session.status === 'connecting') return 'Connecting';
  if (session.status !== 'connected') return session.status === 'closed' ? 'Closed' : 'Lost';
  switch (session.lease.holder) {
    case 'agent':
      return session.lease.client?.name ?? 'Assistant';
    case 'person':
      return 'You';
    case 'paused':
      return 'Paused';
    case 'idle':
      return 'Idle';
    default:
      return session.lease.holder satisfies never;
  }
}

/** Whose command runs, where one does; else who drives. */
function Who({ session }: { readonly session: SessionView }) {
  const { running, lease, status } = session;
  if (running === null || status !== 'connected' || lease.holder === 'paused') {
    return <span className={`who tone-${jackOf(session)}`}>{driverWord(session)}</span>;
  }
  const tone = running.actor.kind === 'client' ? 'tone-agent' : 'tone-you';
  return <span className={`who ${tone}`}>{actorLabel(running.actor)}</span>;
}

function Activity({ session, now }: { readonly session: SessionView; readonly now: number }) {
  if (session.status !== 'connected' && session.statusReason !== null) {
    return <span className="cut">{session.statusReason}</span>;
  }
  const { running } = session;
  if (running !== null) {
    return (
      <>
        <span className="mono cut">{oneLine(running.command)}</span>
        <span className="figures push">{clock(now - (running.startedAt ?? now))}</span>
      </>
    );
  }
  const quiet = ago(now - session.lastActivity);
  return (
    <>
      <span className="cut">{quiet === 'just now' ? 'just now' : `for ${quiet}`}</span>
      {session.lastExitCode !== null && (
        <span className={`push ${session.lastExitCode === 0 ? '' : 'tone-bad'}`}>exit {session.lastExitCode}</span>
      )}
    </>
  );
}

interface SessionRowProps {
  readonly session: SessionView;
  readonly selected: boolean;
  readonly tabbable: boolean;
}

/** The row. */
export function SessionRow({ session, selected, tabbable }: SessionRowProps) {
  const { stores } = usePatchbay();
  const now = useNow();
  return (
    <li>
      <button
        type="button"
        className="session-row"
        aria-current={selected ? 'true' : undefined}
        tabIndex={tabbable ? 0 : -1}
        data-area-focus={tabbable ? '' : undefined}
        title={`${addressOf(session)}\ndriven by: ${driverWord(session)}\nconnected ${moment(session.connectionTime)}`}
        onClick={() => stores.ui.setState({ selected: session.name, place: 'sessions' })}
      >
        <Jack state={jackOf(session)} />
        <span className="title">
          <b className="cut">{session.name}</b>
          <span className="place">{session.host}</span>
        </span>
        <span className="meta figures">
          <Health session={session} now={now} />
        </span>
        <span className="sub">
          <Who session={session} />
          <Activity session={session} now={now} />
        </span>
      </button>
    </li>
  );
}
