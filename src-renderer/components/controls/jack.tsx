// The jack: the one mark that says who drives a session. A word always stands beside it.
import type { SessionView } from '../../../src-shared/model/index.ts';

/** The five states of the mark. */
export type JackState = 'agent' | 'you' | 'idle' | 'paused' | 'lost';

/** What the mark shows for a session. */
export function jackOf(session: SessionView): JackState {
  if (session.status !== 'connected') return session.status === 'connecting' ? 'idle' : 'lost';
  if (session.lease.holder === 'person') return 'you';
  return session.lease.holder;
}

/** Drawn in a box of 16, without a name: the word beside it says the same. */
export function Jack({ state, size = 16 }: { readonly state: JackState; readonly size?: number }) {
  return (
    <svg className={`jack ${state}`} viewBox="0 0 16 16" width={size} height={size} aria-hidden>
      {state === 'lost' ? (
        <path d="M8 2.6 13.4 8 8 13.4 2.6 8Z" />
      ) : (
        <circle cx="8" cy="8" r="5" className={state === 'you' ? 'full' : undefined} />
      )}
      {state === 'agent' && <circle cx="8" cy="8" r="2" className="dot" />}
    </svg>
  );
}

/** The mark of Patchbay itself: a plug in its socket. */
export function Brand({ size = 20 }: { readonly size?: number }) {
  return (
    <svg className="brand-mark" viewBox="0 0 20 20" width={size} height={size} aria-hidden>
      <circle cx="10" cy="10" r="8.2" />
      <circle cx="10" cy="10" r="4.2" className="dot" />
    </svg>
  );
}
