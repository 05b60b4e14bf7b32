// The bar on top: brand, search, settings, pause.
import { ArrowLeft, Search, Settings } from 'lucide-react';
import { runCommand } from '../../commands/registry.ts';
import { shortcutText } from '../../commands/shortcut.ts';
import { useApp, useCards, usePatchbay, useUi } from '../../state/context.ts';
import { CommandButton, IconButton } from '../controls/button.tsx';
import { Brand } from '../controls/jack.tsx';

function SearchBox() {
  const patchbay = usePatchbay();
  return (
    <button type="button" className="search-box" onClick={() => runCommand(patchbay, 'palette.open')}>
      <Search size={16} strokeWidth={1.6} aria-hidden />
      <span>Search sessions, commands and actions</span>
      <kbd>{shortcutText({ key: 'k', mod: true })}</kbd>
    </button>
  );
}

/** Where cards have no place of their own: how many things wait, and the way to them. */
function NeedsButton() {
  const { stores } = usePatchbay();
  const count = useCards(({ cards }) => cards.length);
  const folded = useUi((ui) => ui.needsFolded);
  return (
    <button
      type="button"
      className={`needs-button button line${folded ? ' folded' : ''}`}
      onClick={() => stores.ui.setState({ needsOpen: true, needsFolded: false })}
    >
      <span>Needs you</span> {count > 0 && <span className="count">{count}</span>}
    </button>
  );
}

/** One place for both steps, so that pressing it again in a hurry cancels what runs and never resumes. */
function PauseButton() {
  const pause = useApp((app) => app.pause);
  if (pause === 'off') return <CommandButton id="pause.all" kind="bad" short="Pause all" withIcon />;
  return <CommandButton id="pause.cancelAll" kind="bad" short="Cancel what runs" withIcon />;
}

/** The bar. */
export function TopBar() {
  const patchbay = usePatchbay();
  const inSettings = useUi(({ place }) => place === 'settings');
  return (
    <header className="top-bar">
      <div className="brand">
        <Brand />
        Patchbay
      </div>
      <SearchBox />
      <div className="top-actions">
        <NeedsButton />
        <IconButton
          icon={inSettings ? ArrowLeft : Settings}
          label={inSettings ? 'Back to sessions' : 'Settings'}
          onClick={() => runCommand(patchbay, 'settings.toggle')}
        />
        <PauseButton />
      </div>
    </header>
  );
}
