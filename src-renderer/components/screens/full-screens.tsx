// Screens that stand alone: loading, the way in, and the end.
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { loginWithToken } from '../../connection/login.ts';
import { useLink, useNow, usePatchbay } from '../../state/context.ts';
import { secondsUntil } from '../../format/time.ts';
import { Button } from '../controls/button.tsx';
import { Field } from '../controls/field.tsx';
import { Brand } from '../controls/jack.tsx';

function Screen({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <main className="screen">
      <Brand size={40} />
      <h1>{title}</h1>
      {children}
    </main>
  );
}

/** Before the first state is there. */
export function LoadingScreen() {
  const { link } = usePatchbay();
  const phase = useLink((state) => state.phase);
  const now = useNow();
  if (phase.kind !== 'waiting') {
    return (
      <Screen title="Patchbay">
        <p className="dim" role="status">
          Connecting
        </p>
      </Screen>
    );
  }
  return (
    <Screen title="Patchbay does not answer">
      <p className="dim" role="status">
        Check that it is running. Next try in {secondsUntil(phase.retryAt, now)} s.
      </p>
      <Button kind="accent" onClick={() => link.hurry()}>
        Try now
      </Button>
    </Screen>
  );
}

/** The way in for a browser that has none. */
export function LoginScreen() {
  const { link, stores } = usePatchbay();
  const ticketFault = useLink((state) => state.loginError);
  const [token, setToken] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (token.trim() === '') return setFault('Paste a token first.');
    setBusy(true);
    const result = await loginWithToken(token);
    setBusy(false);
    if (!result.ok) return setFault(result.error);
    stores.link.setState({ loginError: null });
    return link.connect();
  };
  return (
    <Screen title="This page needs a token">
      <p className="dim">
        {ticketFault ??
          'It shows live sessions, so not everyone may see it. The viewer token lets you watch, the operator token lets you type.'}
      </p>
      <form className="login" onSubmit={(event) => void submit(event)}>
        <Field label="Token" secret mono first value={token} fault={fault} onChange={setToken} />
        <Button kind="accent" submit disabled={busy}>
          Open Patchbay
        </Button>
      </form>
      <p className="help">
        You find both in the app under Settings, Monitor page, and in the lines that a headless start prints. A link
        that an assistant gave you holds its own way in until that session closes.
      </p>
    </Screen>
  );
}

/** A line that will not come back by itself. */
export function EndedScreen({ why }: { readonly why: 'session-closed' | 'too-many-views' }) {
  const { link } = usePatchbay();
  if (why === 'session-closed') {
    return (
      <Screen title="This session is closed">
        <p className="dim">The link was good for this one session. Ask for a new one to see another.</p>
      </Screen>
    );
  }
  return (
    <Screen title="Too many pages are open">
      <p className="dim">Close one of them, then try again.</p>
      <Button kind="accent" onClick={() => link.connect()}>
        Try again
      </Button>
    </Screen>
  );
}
