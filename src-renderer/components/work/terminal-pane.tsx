// The Terminal pane: a session's PTY, live; the person who drives types in it, everybody else watches.
import { SquareTerminal } from 'lucide-react';
import { useStore } from 'zustand';
import type { SessionView } from '../../../src-shared/model/index.ts';
import { hasKeys, shortcutText } from '../../commands/shortcut.ts';
import { mayOperate } from '../../state/app-store.ts';
import { useApp, usePatchbay } from '../../state/context.ts';
import type { PtyTerminal } from '../../terminal/pty-terminal.ts';
import { Button } from '../controls/button.tsx';
import { usePtyTerminal } from './use-pty-terminal.ts';

/** A size to start with; the driver's pane tells its own as soon as it is there. */
const FIRST_SIZE = { cols: 100, rows: 30 };

function NotOpen({ session }: { readonly session: SessionView }) {
  const { link, attempt } = usePatchbay();
  const operator = useApp(mayOperate);
  const connected = session.status === 'connected';
  const open = async (): Promise<void> => {
    if (session.lease.holder !== 'person') await link.call('lease.take', { session: session.name });
    await link.call('terminal.open', { session: session.name, ...FIRST_SIZE });
  };
  return (
    <div className="pane-note">
      <SquareTerminal size={24} strokeWidth={1.4} aria-hidden />
      <b>No terminal is open on {session.name}</b>
      <p>
        {connected
          ? 'A terminal is for programs that need a screen. It opens when an assistant uses one, or when you do.'
          : 'The session is not connected.'}
      </p>
      {operator && connected && (
        <Button kind="accent" icon={SquareTerminal} onClick={() => attempt(open())}>
          {session.lease.holder === 'person' ? 'Open a terminal' : 'Take over and open a terminal'}
        </Button>
      )}
    </div>
  );
}

function StateNote({ terminal, session }: { readonly terminal: PtyTerminal; readonly session: SessionView }) {
  const { state } = useStore(terminal.state);
  if (state === 'live') return null;
  if (state === 'loading') return <p className="pane-note">Loading the terminal of {session.name}</p>;
  return (
    <div className="terminal-ended" role="status">
      {state === 'ended' ? 'This terminal has ended.' : 'The terminal cannot be shown. Reload this view to try again.'}
    </div>
  );
}

function footFor(session: SessionView, operator: boolean, driving: boolean): string {
  const key = shortcutText({ key: 'F8' });
  if (driving && !hasKeys()) return `Keys go to ${session.name}.`;
  if (driving) return `Keys go to ${session.name}. ${key} hands back, F6 leaves the terminal.`;
  if (!operator) return 'You are watching. To type here, open this page with the operator token.';
  if (!hasKeys()) return `You are watching. Take over to type in ${session.name}.`;
  return `You are watching. ${key} takes over, then keys go to ${session.name}.`;
}

/** An open terminal. */
function OpenTerminal({ session }: { readonly session: SessionView }) {
  const patchbay = usePatchbay();
  const operator = useApp(mayOperate);
  const driving = operator && session.lease.holder === 'person' && session.status === 'connected';
  const { host, terminal } = usePtyTerminal(patchbay, session.name, driving);
  return (
    <>
      <div className="terminal-pane" data-host-keys={driving ? 'on' : 'off'}>
        <div className="terminal-host" ref={host} />
        {terminal !== null && <StateNote terminal={terminal} session={session} />}
      </div>
      <div className={`prompt ${driving ? 'driving' : 'quiet'}`}>{footFor(session, operator, driving)}</div>
    </>
  );
}

/** The pane. */
export function TerminalPane({ session }: { readonly session: SessionView }) {
  if (!session.terminalOpen) return <NotOpen session={session} />;
  return <OpenTerminal session={session} />;
}
