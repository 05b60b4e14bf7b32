// The dialog that floats now, if any.
import { assertNever } from '../../../src-shared/assert-never.ts';
import { usePatchbay, useUi } from '../../state/context.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { ConnectDialog } from './connect-dialog.tsx';
import { Palette } from './palette.tsx';
import { DisconnectDialog, HandBackDialog } from './session-dialogs.tsx';

function RenewDialog() {
  const { stores, link, attempt } = usePatchbay();
  const close = (): void => stores.ui.setState({ dialog: null });
  return (
    <Dialog title="Renew all tokens?">
      <p>
        Every browser page has to log in again, and clients that use MCP over HTTP need the new token. The entries of
        Claude Desktop and Claude Code go on working.
      </p>
      <footer>
        <Button onClick={close}>Keep them</Button>
        <Button
          kind="bad"
          onClick={() => {
            attempt(link.call('tokens.renew', {}).then(() => stores.tokensRenewed.emit(Date.now())));
            close();
          }}
        >
          Renew tokens
        </Button>
      </footer>
    </Dialog>
  );
}

/** The dialog. */
export function Dialogs() {
  const dialog = useUi((ui) => ui.dialog);
  if (dialog === null) return null;
  switch (dialog.kind) {
    case 'palette':
      return <Palette />;
    case 'connect':
      return <ConnectDialog />;
    case 'hand-back':
      return <HandBackDialog session={dialog.session} />;
    case 'disconnect':
      return <DisconnectDialog session={dialog.session} />;
    case 'renew-tokens':
      return <RenewDialog />;
    default:
      return assertNever(dialog);
  }
}
