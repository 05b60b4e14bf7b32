// The centre: the session on screen, or what to do when there is none.
import { Unplug } from 'lucide-react';
import type { SessionView } from '../../../src-shared/model/index.ts';
import { secondsUntil } from '../../format/time.ts';
import { useNow, useSessions, useUi } from '../../state/context.ts';
import { laneOf } from '../../state/ui-store.ts';
import { CommandButton } from '../controls/button.tsx';
import { FirstRun } from '../screens/first-run.tsx';
import { CommandsPane } from './commands-pane.tsx';
import { SessionHeader } from './session-header.tsx';
import { TerminalPane } from './terminal-pane.tsx';

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Says what is wrong with the connection, and what happens next. */
function SessionBar({ session }: { readonly session: SessionView }) {
  const now = useNow();
  if (session.status === 'connected' || session.status === 'connecting') return null;
  const retry = session.retryAt === null ? '' : `Next try in ${secondsUntil(session.retryAt, now)} s.`;
  return (
    <div className="bar bad" role="status">
      <Unplug size={16} strokeWidth={1.6} aria-hidden />
      <span>
        <b>{sentence(session.statusReason ?? 'The connection is lost')}</b> {retry}
      </span>
      <CommandButton id="session.disconnect" kind="line" />
    </div>
  );
}

function OpenSession({ session }: { readonly session: SessionView }) {
  const lane = useUi((ui) => laneOf(ui, session));
  return (
    <>
      <SessionHeader session={session} />
      <SessionBar session={session} />
      {lane === 'commands' ? <CommandsPane session={session} /> : <TerminalPane session={session} />}
    </>
  );
}

function Gone({ name }: { readonly name: string }) {
  return (
    <div className="pane-note">
      <Unplug size={24} strokeWidth={1.4} aria-hidden />
      <b>{name} is closed</b>
      <p>Its output went with it. What ran there, and how it ended, is in the journal.</p>
    </div>
  );
}

/** The centre. */
export function WorkArea() {
  const selected = useUi((ui) => ui.selected);
  const session = useSessions(({ byName }) => (selected === null ? undefined : byName.get(selected)));
  const none = useSessions(({ byName }) => byName.size === 0);
  if (session === undefined) {
    return (
      <main className="work" data-area tabIndex={-1}>
        {selected !== null ? <Gone name={selected} /> : none ? <FirstRun /> : <PickOne />}
      </main>
    );
  }
  return (
    <main className="work" data-area tabIndex={-1}>
      <OpenSession key={session.name} session={session} />
    </main>
  );
}

function PickOne() {
  return <p className="pane-note">Choose a session on the left to see it.</p>;
}
