// The whole view: which screen shows, and how its areas are laid out.
import { useEffect } from 'react';
import { listenForShortcuts } from '../commands/registry.ts';
import { useApp, useCards, useLink, usePatchbay, useUi } from '../state/context.ts';
import { Dialogs } from './dialogs/dialogs.tsx';
import { Needs } from './needs/needs.tsx';
import { EndedScreen, LoadingScreen, LoginScreen } from './screens/full-screens.tsx';
import { SessionList } from './sessions/session-list.tsx';
import { Settings } from './settings/settings.tsx';
import { LineBar, PauseBar } from './shell/bars.tsx';
import { StatusBar } from './shell/status-bar.tsx';
import { Toasts } from './shell/toasts.tsx';
import { TopBar } from './shell/top-bar.tsx';
import { WorkArea } from './work/work-area.tsx';

function Areas() {
  const place = useUi((ui) => ui.place);
  const only = useApp((app) => app.onlySession !== null);
  return (
    <>
      {!only && <SessionList />}
      {place === 'settings' ? <Settings /> : <WorkArea />}
      {!only && <Needs />}
    </>
  );
}

/** On a narrow screen one area shows at a time; this says which. */
function useView(): 'settings' | 'session' | 'list' {
  return useUi((ui) => (ui.place === 'settings' ? 'settings' : ui.selected === null ? 'list' : 'session'));
}

/** The title tells in a row of tabs that something waits. */
function useTitle(): void {
  const waiting = useCards(({ cards }) => cards.length);
  useEffect(() => {
    document.title = waiting === 0 ? 'Patchbay' : `(${waiting}) Patchbay`;
  }, [waiting]);
}

function Shell() {
  const patchbay = usePatchbay();
  const view = useView();
  const only = useApp((app) => app.onlySession !== null);
  useEffect(() => listenForShortcuts(patchbay), [patchbay]);
  useTitle();
  return (
    <div className="shell" data-view={view} data-only={only ? 'yes' : 'no'}>
      <TopBar />
      <div className="bars">
        <LineBar />
        <PauseBar />
      </div>
      <div className="areas">
        <Areas />
      </div>
      <StatusBar />
      <Toasts />
      <Dialogs />
    </div>
  );
}

/** The view. What was on screen stays while the line is away. */
export function App() {
  const { phase, everOnline } = useLink((state) => state);
  if (phase.kind === 'locked') return <LoginScreen />;
  if (phase.kind === 'ended') return <EndedScreen why={phase.why} />;
  return everOnline ? <Shell /> : <LoadingScreen />;
}
