// Asks about a host key that is not on file. The host is the largest thing on the card.
import { useEffect, useState } from 'react';
import { actorLabel } from '../../../src-shared/model/index.ts';
import type { HostKeyCard as Card } from '../../../src-shared/model/index.ts';
import { keyTypeWord } from '../../format/key-type.ts';
import { secondsUntil } from '../../format/time.ts';
import { mayOperate } from '../../state/app-store.ts';
import { useApp, useNow, usePatchbay } from '../../state/context.ts';
import { Button } from '../controls/button.tsx';
import { CopyButton } from '../controls/copy-button.tsx';

/** A card that has just come must not take a click that was meant for what lay there before. */
const ARM_MS = 700;

function useArmed(): boolean {
  const [armed, setArmed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setArmed(true), ARM_MS);
    return () => clearTimeout(timer);
  }, []);
  return armed;
}

function Timer({ card }: { readonly card: Card }) {
  const now = useNow();
  const left = secondsUntil(card.callEndsAt, now);
  const part = Math.max(0, Math.min(1, (card.callEndsAt - now) / Math.max(1, card.callEndsAt - card.createdAt)));
  const who = actorLabel(card.actor);
  return (
    <>
      <div className="timer" aria-hidden>
        <i style={{ width: `${part * 100}%` }} />
      </div>
      <p className="help figures">
        {left > 0
          ? `Without an answer the call fails in ${left} s. The card stays.`
          : `The call was answered: key not known. ${who === 'You' ? 'You' : who} can try again after you trust the key.`}
      </p>
    </>
  );
}

function Answers({ card }: { readonly card: Card }) {
  const { link, attempt } = usePatchbay();
  const armed = useArmed();
  const [sent, setSent] = useState(false);
  const answer = (trust: boolean): void => {
    setSent(true);
    attempt(link.call('hostKey.answer', { id: card.id, trust }).finally(() => setSent(false)));
  };
  return (
    <div className="card-actions">
      <Button kind="accent" disabled={!armed || sent} onClick={() => answer(true)}>
        Trust this key
      </Button>
      <Button kind="bad" disabled={!armed || sent} onClick={() => answer(false)}>
        Refuse
      </Button>
    </div>
  );
}

/** The card. */
export function HostKeyCard({ card }: { readonly card: Card }) {
  const operator = useApp(mayOperate);
  const who = actorLabel(card.actor);
  return (
    <article className="card" aria-label={`Unknown host key of ${card.host}`}>
      <p className="help">
        {who === 'You' ? 'You connect for the first time to' : `${who} connects for the first time to`}
      </p>
      <div>
        <h3 className="card-host">{card.host}</h3>
        <p className="dim small">
          as {card.username}, port {card.port}, session {card.sessionName}
        </p>
      </div>
      <p className="small">
        This key is not on file. Compare it with what the host’s owner tells you, or with <code>ssh-keygen -lf</code> on
        the host itself.
      </p>
      <div className="fingerprint mono">
        <span>{keyTypeWord(card.keyType)}</span>
        <span className="wrap">{card.fingerprint}</span>
        <CopyButton label="Copy fingerprint" text={() => card.fingerprint} />
      </div>
      <Timer card={card} />
      {operator ? <Answers card={card} /> : <p className="help">Only a view with the operator token can answer.</p>}
    </article>
  );
}
