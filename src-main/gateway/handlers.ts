// The total map from call to handler.
import type { Handlers } from './dispatch.ts';
import { appHandlers } from './handlers/app-handlers.ts';
import { ownerHandlers } from './handlers/owner-handlers.ts';
import { sessionHandlers } from './handlers/session-handlers.ts';
import { streamHandlers } from './handlers/stream-handlers.ts';
import { terminalHandlers } from './handlers/terminal-handlers.ts';

/** Every call's handler. */
export const HANDLERS: Handlers = {
  ...appHandlers,
  ...sessionHandlers,
  ...streamHandlers,
  ...terminalHandlers,
  ...ownerHandlers,
};
