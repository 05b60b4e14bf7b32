// The doors through which a browser page reaches the gateway: paths, bodies, and why a line ends.
import * as z from 'zod';

/**
 * Paths of the gateway that a page uses, all on the page's own origin.
 * A page without access is served with status 401: the same page, which then offers the way in.
 * - `ACCESS` (GET, `?session=<name>` on a session's page): 200 {@link accessSchema}, or 401.
 * - `TICKET` (POST {@link ticketBodySchema}): 204 and a cookie for this one session; 401 wrong or closed, 429 too many.
 * - `LOGIN` (POST {@link loginBodySchema}): 204 and a cookie for the token's role; 401 wrong, 429 too many.
 * - `LOGOUT` (POST, no body): 204; every cookie of ours is gone.
 * - `SOCKET` (WebSocket, `?session=<name>` on a session's page). Text messages are JSON (messages.ts), binary ones frames.
 * Answers other than 2xx are JSON: {@link httpErrorSchema}.
 */
export const PATHS = {
  ACCESS: '/api/access',
  TICKET: '/api/ticket',
  LOGIN: '/api/login',
  LOGOUT: '/api/logout',
  SOCKET: '/ws',
} as const;

/** Where a session's page lies; the ticket stands behind `#v=`, so that it never reaches a server log. */
export function sessionPath(name: string): string {
  return `/session/${encodeURIComponent(name)}`;
}

export const ticketBodySchema = z.strictObject({ session: z.string().max(64), ticket: z.string().max(200) });
export const loginBodySchema = z.strictObject({ token: z.string().max(200) });
export const accessSchema = z.object({ role: z.enum(['viewer', 'operator']), onlySession: z.string().nullable() });
export const httpErrorSchema = z.object({ error: z.string() });

/** Close codes of the WebSocket that are not faults of the line; reconnecting without a new way in is no use. */
export const SOCKET_CLOSE = {
  /** Tokens were renewed: log in again. */
  ACCESS_ENDED: 4401,
  /** The one session of this ticket was closed. */
  SESSION_CLOSED: 4410,
  /** Too many views; try again later. */
  TOO_MANY_VIEWS: 4429,
} as const;
