// All sessions by name, in the order in which they were opened.
import { createStore } from 'zustand/vanilla';
import type { SessionView } from '../../src-shared/model/index.ts';

export interface SessionsState {
  readonly byName: ReadonlyMap<string, SessionView>;
}

/** Makes the store. */
export const createSessionsStore = () => createStore<SessionsState>(() => ({ byName: new Map() }));

/** All of them anew. */
export function allSessions(sessions: readonly SessionView[]): SessionsState {
  return { byName: new Map(sessions.map((session) => [session.name, session])) };
}

/** One changed or came; the order of the others stays. */
export function withSession(state: SessionsState, session: SessionView): SessionsState {
  return { byName: new Map(state.byName).set(session.name, session) };
}

/** One is gone. */
export function withoutSession(state: SessionsState, name: string): SessionsState {
  const byName = new Map(state.byName);
  byName.delete(name);
  return { byName };
}

/** Those whose name, host, user, client or running command holds every word of `filter`. */
export function filterSessions(sessions: Iterable<SessionView>, filter: string): readonly SessionView[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return [...sessions].filter((session) => {
    const client = session.lease.client?.name ?? '';
    const text = [session.name, session.host, session.username, client, session.running?.command ?? '', session.status]
      .join(' ')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
