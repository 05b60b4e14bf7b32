import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Link } from '../../../src-renderer/connection/link.ts';
import type { LinkListener, LinkPhase } from '../../../src-renderer/connection/link.ts';
import type { Access, Door, Transport, TransportEvents } from '../../../src-renderer/connection/transport.ts';
import { quietState } from '../../support/scenes.ts';

/** A door whose other side the test plays. */
class FakeDoor implements Door {
  access_: Access = 'granted';
  opened: TransportEvents[] = [];
  sent: string[] = [];
  closed = 0;
  open(events: TransportEvents): Transport {
    this.opened.push(events);
    return { send: (text) => void this.sent.push(text), close: () => void (this.closed += 1) };
  }
  access(): Promise<Access> {
    return Promise.resolve(this.access_);
  }
  get side(): TransportEvents {
    const last = this.opened.at(-1);
    if (last === undefined) throw new Error('nothing was opened');
    return last;
  }
  /** Opens the line and answers the question for the state. */
  async welcome(): Promise<void> {
    this.side.onOpen();
    await vi.advanceTimersByTimeAsync(0);
    const { id } = JSON.parse(this.sent.at(-1) ?? '{}') as { id: number };
    this.side.onText(JSON.stringify({ id, ok: true, output: quietState() }));
    await vi.advanceTimersByTimeAsync(0);
  }
}

function view() {
  const door = new FakeDoor();
  const phases: LinkPhase['kind'][] = [];
  const told: string[] = [];
  const tell = (name: string) => (): void => void told.push(name);
  const listener: LinkListener = {
    onPhase: ({ kind }) => phases.push(kind),
    onState: tell('state'),
    events: {
      'session.changed': tell('session.changed'),
      'session.removed': tell('session.removed'),
      'command.changed': tell('command.changed'),
      'cards.changed': tell('cards.changed'),
      'pause.changed': tell('pause.changed'),
      'clients.changed': tell('clients.changed'),
      'endpoints.changed': tell('endpoints.changed'),
      'terminal.resized': tell('terminal.resized'),
    },
  };
  return { door, phases, told, link: new Link(door, listener) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the line to the gateway', () => {
  it('is there once the state is, and tries again ever more slowly when it is lost', async () => {
    const { door, phases, link, told } = view();
    link.start();
    await vi.advanceTimersByTimeAsync(0);
    await door.welcome();
    expect([phases, told]).toEqual([['connecting', 'online'], ['state']]);
    door.side.onEnd('lost');
    for (const wait of [300, 600, 1200]) {
      const before = door.opened.length;
      await vi.advanceTimersByTimeAsync(wait - 1);
      expect(door.opened).toHaveLength(before);
      await vi.advanceTimersByTimeAsync(1);
      expect(door.opened).toHaveLength(before + 1);
      door.side.onEnd('lost');
      await vi.advanceTimersByTimeAsync(0);
    }
    link.hurry();
    await door.welcome();
    expect(link.phase).toEqual({ kind: 'online' });
  });

  it('asks for a token instead of trying when the page has no way in', async () => {
    const { door, link } = view();
    door.access_ = 'needed';
    link.start();
    await vi.advanceTimersByTimeAsync(0);
    expect([link.phase.kind, door.opened.length]).toEqual(['locked', 0]);
  });

  it.each([
    ['access-ended', 'locked'],
    ['session-closed', 'ended'],
    ['too-many-views', 'ended'],
  ] as const)('does not try again after %s', async (end, kind) => {
    const { door, link } = view();
    link.connect();
    await door.welcome();
    door.side.onEnd(end);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([link.phase.kind, door.opened.length]).toEqual([kind, 1]);
  });

  it('notices a line that died in silence', async () => {
    const { door, link, phases } = view();
    link.connect();
    await door.welcome();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(JSON.parse(door.sent.at(-1) ?? '')).toMatchObject({ call: 'state.get' });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(phases.at(-1)).toBe('waiting');
  });

  it('fails what waits for an answer when it is lost', async () => {
    const { door, link } = view();
    link.connect();
    await door.welcome();
    const call = link.call('pause.set', { state: 'input' });
    const failed = expect(call).rejects.toMatchObject({ code: 'APP_UNAVAILABLE' });
    door.side.onEnd('lost');
    await failed;
  });

  it('passes events on, and leaves out those it does not know', async () => {
    const { door, link, told } = view();
    link.connect();
    await door.welcome();
    door.side.onText(JSON.stringify({ event: 'pause.changed', payload: { pause: 'all' } }));
    door.side.onText(JSON.stringify({ event: 'from.the.future', payload: {} }));
    expect(told).toEqual(['state', 'pause.changed']);
  });
});
