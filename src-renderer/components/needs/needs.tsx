// The right side: what waits for an answer of the person.
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { assertNever } from '../../../src-shared/assert-never.ts';
import type { Card, FaultCard as Fault } from '../../../src-shared/model/index.ts';
import { ago, moment } from '../../format/time.ts';
import { mayOperate } from '../../state/app-store.ts';
import { useApp, useCards, useNow, usePatchbay, useUi } from '../../state/context.ts';
import { Button, IconButton } from '../controls/button.tsx';
import { HostKeyCard } from './host-key-card.tsx';

function FaultCard({ card }: { readonly card: Fault }) {
  const { link, attempt } = usePatchbay();
  const operator = useApp(mayOperate);
  const now = useNow();
  const age = ago(now - card.createdAt);
  return (
    <article className="card fault-card" aria-label={card.title}>
      <div className="card-title">
        <CircleAlert size={16} strokeWidth={1.6} aria-hidden />
        <h3>{card.title}</h3>
        <span className="help" title={moment(card.createdAt)}>
          {age === 'just now' ? age : `${age} ago`}
        </span>
      </div>
      <p className="small wrap">{card.text}</p>
      {operator && (
        <div className="card-actions">
          <Button onClick={() => attempt(link.call('card.dismiss', { id: card.id }))}>Dismiss</Button>
        </div>
      )}
    </article>
  );
}

function OneCard({ card }: { readonly card: Card }) {
  switch (card.kind) {
    case 'host-key':
      return <HostKeyCard card={card} />;
    case 'fault':
      return <FaultCard card={card} />;
    default:
      return assertNever(card);
  }
}

/** The side; on a narrow screen it is a sheet that the person opens. */
export function Needs() {
  const { stores } = usePatchbay();
  const cards = useCards((state) => state.cards);
  const open = useUi((ui) => ui.needsOpen);
  const folded = useUi((ui) => ui.needsFolded);
  return (
    <aside
      className={`needs${open ? ' open' : ''}${folded ? ' folded' : ''}${cards.length === 0 ? ' empty' : ''}`}
      aria-label="Needs you"
      data-area
      tabIndex={-1}
    >
      <h2>
        Needs you {cards.length > 0 && <span className="count">{cards.length}</span>}
        <span className="sheet-close">
          <IconButton
            icon={X}
            label="Fold what needs you away"
            onClick={() => stores.ui.setState({ needsOpen: false, needsFolded: true })}
          />
        </span>
      </h2>
      <div className="card-list" aria-live="polite">
        {cards.map((card) => (
          <OneCard key={card.id} card={card} />
        ))}
        {cards.length === 0 && (
          <div className="needs-empty">
            <CircleCheck size={20} strokeWidth={1.4} aria-hidden />
            <p>Nothing waits for you. New host keys and faults appear here.</p>
          </div>
        )}
      </div>
    </aside>
  );
}
