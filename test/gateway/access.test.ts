// Tokens, tickets and the cookies made from them.
import { describe, expect, it } from 'vitest';
import { Access } from '../../src-main/gateway/access.ts';
import { Attempts } from '../../src-main/gateway/attempts.ts';

const TOKENS = { viewer: 'viewer-token-0123456789', operator: 'operator-token-0123456789' };

function access(tokens = () => TOKENS, port = 8080): Access {
  const made = new Access(tokens);
  made.listensOn(port);
  return made;
}

const header = (cookie: { name: string; value: string } | undefined) => `other=1; ${cookie?.name}=${cookie?.value}`;

describe('a token', () => {
  it('is exchanged for a cookie with its role, for every session', () => {
    const door = access();
    expect(door.grantOf(header(door.login(TOKENS.operator)), null)).toEqual({ role: 'operator', onlySession: null });
    expect(door.grantOf(header(door.login(TOKENS.viewer)), 'web-1')).toEqual({ role: 'viewer', onlySession: null });
  });

  it('is refused when it is wrong, empty or only begins right', () => {
    const door = access();
    expect(['', 'x', TOKENS.viewer.slice(0, -1), `${TOKENS.viewer}x`].map((token) => door.login(token))).toEqual(
      Array.from({ length: 4 }),
    );
  });

  it('is not in its cookie', () => {
    expect(header(access().login(TOKENS.operator))).not.toContain(TOKENS.operator);
  });

  it('keeps its cookie over a restart and ends it when it is renewed', () => {
    let tokens = TOKENS;
    const cookie = header(access().login(TOKENS.viewer));
    const restarted = access(() => tokens);
    expect(restarted.grantOf(cookie, null)?.role).toBe('viewer');
    tokens = { viewer: 'another-viewer-token', operator: 'another-operator-token' };
    expect(restarted.grantOf(cookie, null)).toBeUndefined();
  });

  it('makes cookies that another Patchbay on the same computer does not overwrite', () => {
    expect(access(() => TOKENS, 8081).login(TOKENS.viewer)?.name).not.toBe(access().login(TOKENS.viewer)?.name);
  });
});

describe('a ticket', () => {
  it('lets watch its one session', () => {
    const door = access();
    const cookie = header(door.exchangeTicket('web-1', door.ticketOf('web-1')));
    expect(door.grantOf(cookie, 'web-1')).toEqual({ role: 'viewer', onlySession: 'web-1' });
    expect(door.grantOf(cookie, null)).toBeUndefined();
    door.ticketOf('web-2');
    expect(door.grantOf(cookie, 'web-2')).toBeUndefined();
  });

  it('does not open another session, under either name', () => {
    const door = access();
    const ticket = door.ticketOf('web-1');
    door.ticketOf('web-2');
    expect(door.exchangeTicket('web-2', ticket)).toBeUndefined();
    const cookie = door.exchangeTicket('web-1', ticket);
    expect(door.grantOf(header({ name: 'patchbay-8080-web-2', value: cookie?.value ?? '' }), 'web-2')).toBeUndefined();
  });

  it('stays the same until its session closes, and then ends with its cookies, also for a session of the same name', () => {
    const door = access();
    const ticket = door.ticketOf('web-1');
    expect(door.ticketOf('web-1')).toBe(ticket);
    const cookie = header(door.exchangeTicket('web-1', ticket));
    door.forget('web-1');
    expect(door.grantOf(cookie, 'web-1')).toBeUndefined();
    expect(door.exchangeTicket('web-1', ticket)).toBeUndefined();
    expect(door.ticketOf('web-1')).not.toBe(ticket);
    expect(door.grantOf(cookie, 'web-1')).toBeUndefined();
    expect(door.exchangeTicket('web-1', ticket)).toBeUndefined();
  });

  it('leaves no cookies behind: those of closed sessions are named for removal', () => {
    const door = access();
    const old = header(door.exchangeTicket('old', door.ticketOf('old')));
    door.forget('old');
    const both = `${old}; ${header(door.exchangeTicket('new', door.ticketOf('new')))}; ${header(door.login(TOKENS.viewer))}`;
    expect(door.cookieNames(both, 'ended tickets')).toEqual(['patchbay-8080-old']);
    expect(door.cookieNames(both, 'all')).toEqual(['patchbay-8080-old', 'patchbay-8080-new', 'patchbay-8080']);
  });
});

describe('wrong tokens', () => {
  it('are counted per address and forgotten after a minute', () => {
    let now = 1_000_000;
    const attempts = new Attempts(() => now);
    for (let i = 0; i < 9; i += 1) attempts.wrong('a');
    expect(attempts.waitSeconds('a')).toBe(0);
    attempts.wrong('a');
    expect(attempts.waitSeconds('a')).toBe(60);
    expect(attempts.waitSeconds('b')).toBe(0);
    now += 59_500;
    expect(attempts.waitSeconds('a')).toBe(1);
    now += 500;
    expect(attempts.waitSeconds('a')).toBe(0);
  });

  it('from very many addresses fill no memory', () => {
    const attempts = new Attempts(() => 0);
    for (let i = 0; i < 10; i += 1) attempts.wrong('first');
    for (let i = 0; i < 1000; i += 1) attempts.wrong(`other-${i}`);
    expect(attempts.waitSeconds('first')).toBe(0);
  });
});
