// "Connect to a host": where, as whom, how to log in.
import { useState } from 'react';
import type { FormEvent } from 'react';
import { AppError } from '../../../src-shared/errors.ts';
import { useCards, usePatchbay, useSessions } from '../../state/context.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { Field } from '../controls/field.tsx';
import { Segments } from '../controls/segments.tsx';
import { HostKeyCard } from '../needs/host-key-card.tsx';
import { EMPTY_FORM, connectInput, faultsOf, keepForm, keptForm, nameOf } from './connect-form.ts';
import type { ConnectFaults, ConnectForm, LoginWay } from './connect-form.ts';

const WAYS: readonly { readonly value: LoginWay; readonly label: string }[] = [
  { value: 'key', label: 'Key file' },
  { value: 'password', label: 'Password' },
  { value: 'agent', label: 'SSH agent' },
  { value: 'config', label: 'As in ssh_config' },
];

interface PartProps {
  readonly form: ConnectForm;
  readonly faults: ConnectFaults;
  readonly change: (part: Partial<ConnectForm>) => void;
}

function LoginFields({ form, faults, change }: PartProps) {
  switch (form.way) {
    case 'key':
      return (
        <div className="pair">
          <Field
            label="Private key"
            mono
            value={form.keyFile}
            fault={faults.keyFile}
            onChange={(keyFile) => change({ keyFile })}
          />
          <Field
            label="Passphrase"
            secret
            value={form.passphrase}
            help="Only if the key has one"
            onChange={(passphrase) => change({ passphrase })}
          />
        </div>
      );
    case 'password':
      return (
        <Field
          label="Password"
          secret
          value={form.password}
          fault={faults.password}
          help="Kept in memory while the session is open, never stored"
          onChange={(password) => change({ password })}
        />
      );
    case 'agent':
      return <p className="help">The keys of the SSH agent on the computer that runs Patchbay are offered.</p>;
    case 'config':
      return <p className="help">The alias names its key. Nothing else is needed.</p>;
    default:
      return form.way satisfies never;
  }
}

function PlaceFields({ form, faults, change, name }: PartProps & { readonly name: string }) {
  return (
    <>
      <div className="pair wide-first">
        <Field
          label="Host"
          first
          mono
          value={form.host}
          fault={faults.host}
          placeholder="Name, address or ssh_config alias"
          onChange={(host) => change({ host })}
        />
        <Field
          label="Port"
          mono
          inputMode="numeric"
          value={form.port}
          fault={faults.port}
          placeholder="22"
          onChange={(port) => change({ port })}
        />
      </div>
      <div className="pair">
        <Field
          label="Username"
          mono
          value={form.username}
          placeholder="Yours"
          onChange={(username) => change({ username })}
        />
        <Field
          label="Session name"
          mono
          value={form.name}
          fault={faults.name}
          placeholder={name}
          onChange={(value) => change({ name: value })}
        />
      </div>
    </>
  );
}

/** The form's state and its sending. */
function useConnecting() {
  const { link, stores } = usePatchbay();
  const byName = useSessions((state) => state.byName);
  const [form, setForm] = useState(keptForm);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  const taken: ReadonlySet<string> = new Set(busy ? [] : byName.keys());
  const faults = faultsOf(form, taken);
  const change = (part: Partial<ConnectForm>): void => {
    const next = { ...form, ...part };
    keepForm(next);
    setForm(next);
  };
  const connect = async (): Promise<void> => {
    setTried(true);
    if (Object.keys(faults).length > 0) return;
    setBusy(true);
    setError(null);
    try {
      const { name } = await link.call('session.connect', connectInput(form, taken));
      keepForm({ ...EMPTY_FORM, way: form.way, username: form.username, keyFile: form.keyFile });
      stores.ui.setState({ dialog: null, selected: name, place: 'sessions' });
    } catch (fault) {
      setError(fault instanceof AppError ? fault : null);
      setBusy(false);
    }
  };
  return { form, change, busy, error, faults: tried ? faults : {}, name: nameOf(form, taken), connect };
}

/** The dialog. A key that is not on file is asked about right in it. */
export function ConnectDialog() {
  const { form, change, busy, error, faults, name, connect } = useConnecting();
  const card = useCards(({ cards }) => cards.find((one) => one.kind === 'host-key' && one.sessionName === name));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void connect();
  };
  return (
    <Dialog title="Connect to a host" wide>
      <form onSubmit={submit} noValidate>
        <PlaceFields form={form} faults={faults} change={change} name={name} />
        <div className="field">
          <span className="label">Log in with</span>
          <Segments label="Log in with" value={form.way} choices={WAYS} onChange={(way) => change({ way })} />
        </div>
        <LoginFields form={form} faults={faults} change={change} />
        {error !== null && (
          <div className="form-fault" role="alert">
            <b>{error.message}</b>
            <p>{error.hint}</p>
          </div>
        )}
        {card?.kind === 'host-key' && <HostKeyCard card={card} />}
        <footer>
          <Button kind="accent" submit disabled={busy}>
            {busy
              ? `Connecting to ${form.host}`
              : form.host.trim() === ''
                ? 'Connect'
                : `Connect to ${form.host.trim()}`}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
