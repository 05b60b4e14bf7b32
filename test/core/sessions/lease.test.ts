// The state table of the lease, and what it tells its session.
import { beforeEach, describe, expect, it } from 'vitest';
import type { ClientActor, PersonActor } from '../../../src-shared/model/index.ts';
import { IDLE_AFTER_MS, SessionLease } from '../../../src-main/core/sessions/lease.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

const client = (id: string): ClientActor => ({ kind: 'client', id, name: `client ${id}`, version: '1' });
const person: PersonActor = { kind: 'person', id: 'p1', view: 'window' };
const otherView: PersonActor = { kind: 'person', id: 'p2', view: 'page' };

let clock = createFakeClock();
let told: string[] = [];
let busy = false;
let paused = false;
let lease = make();

function make(): SessionLease {
  return new SessionLease({
    sessionName: 'web-1',
    clock,
    busy: () => busy,
    paused: () => paused,
    onTaken: (who) => told.push(`taken by ${who.id}`),
    onReturned: (who, note) => told.push(`returned by ${who.id}: ${note}`),
    onChange: () => told.push(`now ${lease.state().holder}`),
  });
}

beforeEach(() => {
  clock = createFakeClock();
  told = [];
  busy = false;
  paused = false;
  lease = make();
});

type State = 'idle' | 'agent' | 'person';
const reach: Record<State, () => void> = {
  idle: () => undefined,
  agent: () => lease.useAsClient(client('a')),
  person: () => lease.take(person),
};
const events = {
  'a client types': () => lease.useAsClient(client('a')),
  'another client types': () => lease.useAsClient(client('b')),
  'the person takes over': () => lease.take(person),
  'another view of the person takes over': () => lease.take(otherView),
  'the person hands back': () => lease.handBack(person, ''),
  'a minute passes': () => clock.advance(IDLE_AFTER_MS),
} as const;
type Event = keyof typeof events;
type Wanted = State | 'HUMAN_IN_CONTROL';

const table: Record<State, Record<Event, Wanted>> = {
  idle: {
    'a client types': 'agent',
    'another client types': 'agent',
    'the person takes over': 'person',
    'another view of the person takes over': 'person',
    'the person hands back': 'idle',
    'a minute passes': 'idle',
  },
  agent: {
    'a client types': 'agent',
    'another client types': 'agent',
    'the person takes over': 'person',
    'another view of the person takes over': 'person',
    'the person hands back': 'agent',
    'a minute passes': 'idle',
  },
  person: {
    'a client types': 'HUMAN_IN_CONTROL',
    'another client types': 'HUMAN_IN_CONTROL',
    'the person takes over': 'person',
    'another view of the person takes over': 'person',
    'the person hands back': 'idle',
    'a minute passes': 'person',
  },
};

function outcome(event: Event): Wanted {
  try {
    events[event]();
  } catch (error) {
    expect(error).toMatchObject({ code: 'HUMAN_IN_CONTROL', details: { session: 'web-1' } });
    expect(lease.heldByPerson).toBe(true);
    return 'HUMAN_IN_CONTROL';
  }
  const { holder } = lease.state();
  if (holder === 'paused') throw new Error('nobody paused');
  return holder;
}

describe('the state table of the lease', () => {
  for (const [state, row] of Object.entries(table) as [State, Record<Event, Wanted>][]) {
    for (const [event, wanted] of Object.entries(row) as [Event, Wanted][]) {
      it(`goes from ${state} to ${wanted} when ${event}`, () => {
        reach[state]();
        expect(outcome(event)).toBe(wanted);
      });
    }
  }

  for (const [state, shown] of [
    ['idle', 'paused'],
    ['agent', 'paused'],
    ['person', 'person'],
  ] as const) {
    it(`shows ${shown} while assistants are paused and the state is ${state}`, () => {
      reach[state]();
      paused = true;
      expect(lease.state().holder).toBe(shown);
      paused = false;
      expect(lease.state().holder).toBe(state);
    });
  }
});

describe('lease', () => {
  it('names the client that drives, and the last one when two take turns', () => {
    lease.useAsClient(client('a'));
    expect(lease.state()).toEqual({ holder: 'agent', client: client('a'), since: clock.now() });
    lease.useAsClient(client('b'));
    expect(lease.state().client).toEqual(client('b'));
  });

  it('tells once that the person has taken over, however many views press it', () => {
    lease.take(person);
    lease.take(otherView);
    expect(told.filter((line) => line.startsWith('taken'))).toEqual(['taken by p1']);
  });

  it('gives the note of a hand-back to its session, and nothing when nobody held it', () => {
    lease.handBack(person, 'too early');
    lease.take(person);
    lease.handBack(otherView, 'the disk is full');
    expect(told.filter((line) => line.startsWith('returned'))).toEqual(['returned by p2: the disk is full']);
  });

  it('stays with the assistant as long as something runs for it, then becomes idle', () => {
    lease.useAsClient(client('a'));
    busy = true;
    clock.advance(10 * IDLE_AFTER_MS);
    expect(lease.state().holder).toBe('agent');
    busy = false;
    clock.advance(IDLE_AFTER_MS);
    expect(lease.state().holder).toBe('idle');
  });

  it('counts the minute from the last use', () => {
    lease.useAsClient(client('a'));
    clock.advance(IDLE_AFTER_MS - 1);
    lease.useAsClient(client('a'));
    clock.advance(IDLE_AFTER_MS - 1);
    expect(lease.state().holder).toBe('agent');
    clock.advance(1);
    expect(lease.state().holder).toBe('idle');
  });

  it('leaves no timer behind when it is closed', () => {
    lease.useAsClient(client('a'));
    lease.close();
    expect(clock.pending).toBe(0);
  });
});
