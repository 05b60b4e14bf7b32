// The left side: filter, sessions, and the way to a new one.
import { ListFilter, X } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { filterSessions } from '../../state/sessions-store.ts';
import { usePatchbay, useSessions, useUi } from '../../state/context.ts';
import { CommandButton, IconButton } from '../controls/button.tsx';
import { SessionRow } from './session-row.tsx';

function Filter() {
  const { stores } = usePatchbay();
  const filter = useUi((ui) => ui.filter);
  const set = (text: string): void => stores.ui.setState({ filter: text });
  return (
    <div className="filter">
      <ListFilter size={16} strokeWidth={1.6} aria-hidden />
      <input
        aria-label="Filter sessions"
        placeholder="Filter sessions"
        value={filter}
        spellCheck={false}
        onChange={(event) => set(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') set('');
        }}
      />
      {filter !== '' && <IconButton icon={X} label="Clear the filter" onClick={() => set('')} />}
    </div>
  );
}

/** Up and down go from row to row, Home and End to the ends. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('.session-row')];
  const at = rows.findIndex((row) => row === document.activeElement);
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: Math.min(rows.length - 1, at + 1),
    ArrowUp: Math.max(0, at - 1),
    Home: 0,
    End: rows.length - 1,
  };
  const target = rows[steps[event.key] ?? -1];
  if (target === undefined) return;
  event.preventDefault();
  target.focus();
}

function Rows() {
  const byName = useSessions((state) => state.byName);
  const filter = useUi((ui) => ui.filter);
  const selected = useUi((ui) => ui.selected);
  const shown = filterSessions(byName.values(), filter);
  if (byName.size === 0)
    return <p className="list-empty">No session is open. An assistant opens one when it needs it.</p>;
  if (shown.length === 0) return <p className="list-empty">No session matches “{filter}”.</p>;
  const first = shown.some(({ name }) => name === selected) ? selected : shown[0]?.name;
  return (
    <>
      <h2 className="group" id="sessions-heading">
        <span>Sessions</span>
        <span className="figures">
          {shown.length === byName.size ? byName.size : `${shown.length} of ${byName.size}`}
        </span>
      </h2>
      <ul aria-labelledby="sessions-heading">
        {shown.map((session) => (
          <SessionRow
            key={session.name}
            session={session}
            selected={session.name === selected}
            tabbable={session.name === first}
          />
        ))}
      </ul>
    </>
  );
}

/** The left side. */
export function SessionList() {
  return (
    <nav className="side" aria-label="Sessions" data-area tabIndex={-1}>
      <Filter />
      <div className="rows" onKeyDown={moveFocus} role="presentation">
        <Rows />
      </div>
      <div className="side-foot">
        <CommandButton id="session.connect" withKey />
      </div>
    </nav>
  );
}
