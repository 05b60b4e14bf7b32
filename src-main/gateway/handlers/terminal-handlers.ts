// Calls that open, resize and type into a session's terminal.
import type { Handlers } from '../dispatch.ts';
import { requireDriver } from './session-handlers.ts';

/** Handlers by call. */
export const terminalHandlers = {
  'terminal.open': async (view, { session, cols, rows }) => {
    await view.core.sessions.get(session).terminal.ensureOpen({ cols, rows });
    return {};
  },
  'terminal.input': async (view, { session, base64 }) => {
    const target = view.core.sessions.get(session);
    requireDriver(target);
    const bytes = Buffer.from(base64, 'base64');
    view.context.typed(session, view.actor, bytes.byteLength);
    await target.terminal.type(bytes);
    return {};
  },
  'terminal.resize': (view, { session, cols, rows }) => {
    const target = view.core.sessions.get(session);
    // Two views of different size would fight over it; the driver's one decides.
    requireDriver(target);
    target.terminal.resize(cols, rows);
    return {};
  },
} satisfies Partial<Handlers>;
