// The line above a session's panes: what it is, who drives, what the person can do, which pane shows.
import { ChevronLeft, Unplug } from 'lucide-react';
import type { SessionView } from '../../../src-shared/model/index.ts';
import { runCommand } from '../../commands/registry.ts';
import { noteKey } from '../../commands/session-commands.ts';
import { addressOf, cutMiddle } from '../../format/text.ts';
import { useApp, usePatchbay, useUi } from '../../state/context.ts';
import { mayOperate } from '../../state/app-store.ts';
import { laneOf, withLane } from '../../state/ui-store.ts';
import { CommandButton, IconButton } from '../controls/button.tsx';
import { Jack, jackOf } from '../controls/jack.tsx';
import { Segments } from '../controls/segments.tsx';

/** Who drives, in a sentence. */
export function drivingWords(session: SessionView): string {
  switch (session.lease.holder) {
    case 'agent':
      return `${session.lease.client?.name ?? 'An assistant'} is driving`;
    case 'person':
      return 'You are driving';
    case 'paused':
      return 'Paused';
    case 'idle':
      return 'Idle';
    default:
      return session.lease.holder satisfies never;
  }
}

const STATUS_WORDS = {
  connecting: 'Connecting',
  reconnecting: 'Reconnecting',
  lost: 'Connection lost',
  needs_connect: 'Not connected',
  closed: 'Closed',
} as const;

function DrivingPill({ session }: { readonly session: SessionView }) {
  const jack = jackOf(session);
  const words = session.status === 'connected' ? drivingWords(session) : STATUS_WORDS[session.status];
  return (
    <span className={`pill ${jack}`} role="status">
      <Jack state={jack} size={14} />
      <span className="cut">{words}</span>
    </span>
  );
}

function LaneSwitch({ session }: { readonly session: SessionView }) {
  const { stores } = usePatchbay();
  const lane = useUi((ui) => laneOf(ui, session));
  return (
    <Segments
      label="Pane"
      value={lane}
      choices={[
        { value: 'commands', label: 'Commands', disabled: session.kind !== 'posix' },
        { value: 'terminal', label: 'Terminal' },
      ]}
      onChange={(next) => stores.ui.setState((ui) => withLane(ui, session.name, next))}
    />
  );
}

/** The line. */
export function SessionHeader({ session }: { readonly session: SessionView }) {
  const patchbay = usePatchbay();
  const operator = useApp(mayOperate);
  const hasNote = useUi((ui) => ui.drafts.has(noteKey(session.name)));
  const drives = session.lease.holder === 'person';
  return (
    <header className="session-header">
      <span className="back">
        <IconButton
          icon={ChevronLeft}
          label="Back to the list of sessions"
          onClick={() => patchbay.stores.ui.setState({ selected: null })}
        />
      </span>
      <h1 title={session.name}>{session.name}</h1>
      <span className="address mono" title={addressOf(session)}>
        {cutMiddle(addressOf(session), 40)}
      </span>
      <DrivingPill session={session} />
      <CommandButton
        id="lease.toggle"
        kind={drives ? 'accent' : 'line'}
        short={drives ? (hasNote ? 'Hand back with note' : 'Hand back') : 'Take over'}
        withKey
      />
      <span className="header-end">
        {operator && (
          <IconButton
            icon={Unplug}
            label={`Disconnect ${session.name}`}
            onClick={() => runCommand(patchbay, 'session.disconnect')}
          />
        )}
        <LaneSwitch session={session} />
      </span>
    </header>
  );
}
