// Dialogs about one session: hand it back with a note, disconnect it while something runs.
import type { SessionView } from '../../../src-shared/model/index.ts';
import { contextOf } from '../../commands/command.ts';
import { handBack, noteKey } from '../../commands/session-commands.ts';
import { counted, oneLine } from '../../format/text.ts';
import { usePatchbay, useSessions, useUi } from '../../state/context.ts';
import { withDraft } from '../../state/ui-store.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';

/** Longest note, as the protocol allows. */
const NOTE_CHARS = 2000;

/** Hands back; the note reaches the assistant with its next result. */
export function HandBackDialog({ session }: { readonly session: string }) {
  const patchbay = usePatchbay();
  const key = noteKey(session);
  const note = useUi((ui) => ui.drafts.get(key) ?? '');
  const submit = (): void => handBack(contextOf(patchbay), session);
  return (
    <Dialog title={`Hand back ${session}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className="field">
          <label htmlFor="hand-back-note">Note for the assistant</label>
          <textarea
            id="hand-back-note"
            rows={4}
            maxLength={NOTE_CHARS}
            value={note}
            data-autofocus
            placeholder="What you did, what it should know (optional)"
            onChange={(event) => {
              const text = event.currentTarget.value;
              patchbay.stores.ui.setState((ui) => withDraft(ui, key, text));
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
              event.preventDefault();
              submit();
            }}
          />
          <p className="help">It reaches the assistant with its next result. Enter hands back.</p>
        </div>
        <footer>
          <Button kind="accent" submit>
            Hand back <kbd>F8</kbd>
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

function whatRuns(session: SessionView | undefined): string {
  if (session?.running == null) return '';
  const waiting = session.queued > 0 ? `, and ${counted(session.queued, 'command')} behind it` : '';
  return `This cancels ${oneLine(session.running.command)}${waiting}.`;
}

/** Asks before it cancels what runs. */
export function DisconnectDialog({ session }: { readonly session: string }) {
  const { stores, link, attempt } = usePatchbay();
  const view = useSessions(({ byName }) => byName.get(session));
  const close = (): void => stores.ui.setState({ dialog: null });
  return (
    <Dialog title={`Disconnect ${session}?`}>
      <p className="wrap">{whatRuns(view)} Its output goes with the session.</p>
      <footer>
        <Button onClick={close}>Keep it open</Button>
        <Button
          kind="bad"
          onClick={() => {
            attempt(link.call('session.disconnect', { session }));
            close();
          }}
        >
          Disconnect {session}
        </Button>
      </footer>
    </Dialog>
  );
}
