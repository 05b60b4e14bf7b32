// Who may watch and who may type in a browser: tokens, tickets for one session, and the cookies they are exchanged for.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ViewTokens } from './port.ts';

/** What a browser page may do. */
export interface Grant {
  readonly role: 'viewer' | 'operator';
  /** The one session that a ticket allows; null for all. */
  readonly onlySession: string | null;
}

/** A cookie to set. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
}

/**
 * Tokens, tickets and cookies. Cookies are derived from the token or ticket they stand for: they end with it, and those of
 * tokens outlive a restart of the app without anything being stored.
 */
export class Access {
  readonly #tokens: () => ViewTokens;
  readonly #tickets = new Map<string, string>();
  /** Cookies know no ports, so two Patchbays on one computer need names of their own. */
  #prefix = 'patchbay';

  constructor(tokens: () => ViewTokens) {
    this.#tokens = tokens;
  }

  /** Tells the port that the server got. */
  listensOn(port: number): void {
    this.#prefix = `patchbay-${port}`;
  }

  /** The ticket of a session, the same until {@link forget}. */
  ticketOf(session: string): string {
    const known = this.#tickets.get(session);
    if (known !== undefined) return known;
    const ticket = randomBytes(32).toString('base64url');
    this.#tickets.set(session, ticket);
    return ticket;
  }

  /** The session is closed: its ticket and every cookie made from it are worth nothing any more. */
  forget(session: string): void {
    this.#tickets.delete(session);
  }

  /** The cookie for a ticket; undefined when the ticket is wrong or its session closed. */
  exchangeTicket(session: string, ticket: string): Cookie | undefined {
    const known = this.#tickets.get(session);
    if (known === undefined || !sameText(known, ticket)) return undefined;
    return { name: `${this.#prefix}-${session}`, value: cookieValue(known, 'ticket') };
  }

  /** The cookie for a viewer or operator token; undefined when it is neither. */
  login(token: string): Cookie | undefined {
    const { operator, viewer } = this.#tokens();
    const isOperator = sameText(operator, token);
    const isViewer = sameText(viewer, token);
    if (isOperator) return { name: this.#prefix, value: cookieValue(operator, 'operator') };
    return isViewer ? { name: this.#prefix, value: cookieValue(viewer, 'viewer') } : undefined;
  }

  /** What the cookies of a request allow, on the page of `session` or on the page of all sessions (null). */
  grantOf(cookieHeader: string | undefined, session: string | null): Grant | undefined {
    const cookies = parseCookies(cookieHeader);
    const { operator, viewer } = this.#tokens();
    const role = cookies.get(this.#prefix) ?? '';
    if (sameText(cookieValue(operator, 'operator'), role)) return { role: 'operator', onlySession: null };
    if (sameText(cookieValue(viewer, 'viewer'), role)) return { role: 'viewer', onlySession: null };
    const ticket = session === null ? undefined : this.#tickets.get(session);
    const given = cookies.get(`${this.#prefix}-${session}`) ?? '';
    if (ticket === undefined || !sameText(cookieValue(ticket, 'ticket'), given)) return undefined;
    return { role: 'viewer', onlySession: session };
  }

  /** Names of our cookies in a request that are worth nothing any more, or all of ours. */
  cookieNames(cookieHeader: string | undefined, which: 'ended tickets' | 'all'): readonly string[] {
    const ticketPrefix = `${this.#prefix}-`;
    return [...parseCookies(cookieHeader).keys()].filter((name) => {
      if (name.startsWith(ticketPrefix)) return which === 'all' || !this.#tickets.has(name.slice(ticketPrefix.length));
      return which === 'all' && name === this.#prefix;
    });
  }
}

/** Compares in a time that tells nothing about where the two differ. */
export function sameText(expected: string, given: string): boolean {
  return timingSafeEqual(digest(expected), digest(given));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function cookieValue(secret: string, purpose: 'ticket' | 'viewer' | 'operator'): string {
  return createHmac('sha256', secret).update(`patchbay page cookie: ${purpose}`).digest('base64url');
}

function parseCookies(header: string | undefined): Map<string, string> {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  return new Map(
    pairs.flatMap((pair) => {
      const at = pair.indexOf('=');
      return at > 0 ? [[pair.slice(0, at), pair.slice(at + 1)]] : [];
    }),
  );
}
