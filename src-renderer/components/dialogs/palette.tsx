// The palette: one box that finds sessions, actions and past commands.
import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { contextOf } from '../../commands/command.ts';
import { usePatchbay } from '../../state/context.ts';
import { Dialog } from '../controls/dialog.tsx';
import { beginsGroup, paletteEntries } from './palette-entries.ts';
import type { PaletteEntry } from './palette-entries.ts';

interface EntryProps {
  readonly entry: PaletteEntry;
  readonly active: boolean;
  readonly heading: boolean;
  readonly choose: () => void;
  readonly point: () => void;
}

function Entry({ entry, active, heading, choose, point }: EntryProps) {
  const row = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (active) row.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <>
      {heading && (
        <div role="presentation" className="palette-group">
          {entry.group}
        </div>
      )}
      <button
        ref={row}
        type="button"
        id={`palette-${entry.id}`}
        role="option"
        tabIndex={-1}
        aria-selected={active}
        className="palette-entry"
        onMouseMove={point}
        onClick={choose}
      >
        <span className={entry.mono ? 'mono cut' : 'cut'}>{entry.title}</span>
        <span className="dim small cut">{entry.detail}</span>
        {entry.keys !== '' && <kbd>{entry.keys}</kbd>}
      </button>
    </>
  );
}

/** The palette. */
export function Palette() {
  const patchbay = usePatchbay();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const entries = paletteEntries(contextOf(patchbay), typed);
  const active = entries[Math.min(at, entries.length - 1)];
  const choose = (entry: PaletteEntry | undefined): void => {
    if (entry === undefined) return;
    patchbay.stores.ui.setState({ dialog: null });
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') setAt((at + 1) % Math.max(1, entries.length));
    else if (event.key === 'ArrowUp') setAt((at - 1 + entries.length) % Math.max(1, entries.length));
    else if (event.key === 'Enter') choose(active);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Search sessions, commands and actions" bare wide>
      <div className="palette-box">
        <Search size={16} strokeWidth={1.6} aria-hidden />
        <input
          role="combobox"
          aria-expanded
          aria-controls="palette-list"
          aria-activedescendant={active === undefined ? undefined : `palette-${active.id}`}
          aria-label="Search sessions, commands and actions"
          placeholder="Search sessions, commands and actions"
          value={typed}
          spellCheck={false}
          data-autofocus
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id="palette-list" role="listbox" aria-label="Results" className="palette-list">
        {entries.map((entry, index) => (
          <Entry
            key={entry.id}
            entry={entry}
            active={entry === active}
            heading={beginsGroup(entries, index)}
            choose={() => choose(entry)}
            point={() => setAt(index)}
          />
        ))}
        {entries.length === 0 && <p className="list-empty">Nothing matches “{typed}”.</p>}
      </div>
    </Dialog>
  );
}
