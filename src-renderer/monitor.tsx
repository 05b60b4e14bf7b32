// Entry of the page in a browser: viewer or operator, over a WebSocket on the page's own origin.
import { sessionPath } from '../src-shared/protocol/index.ts';
import { sessionOfAddress, redeemTicket } from './connection/login.ts';
import { socketDoor } from './connection/socket-door.ts';
import { startView } from './start.tsx';
import type { Patchbay } from './state/patchbay.ts';

/** Keeps the address of the page in step with the session on screen, so that a reload or a bookmark shows it again. */
function followSelection({ stores }: Patchbay): void {
  stores.ui.subscribe(({ selected }) => {
    if (stores.app.getState().onlySession !== null) return;
    const path = selected === null ? '/' : sessionPath(selected);
    if (path !== location.pathname) history.replaceState(null, '', path);
  });
}

async function start(): Promise<void> {
  const session = sessionOfAddress(location.pathname);
  const patchbay = startView(socketDoor(session), session);
  followSelection(patchbay);
  const ticket = await redeemTicket();
  if (ticket?.ok === false) patchbay.stores.link.setState({ loginError: ticket.error });
  patchbay.link.start();
}

void start();
