// Views over a real WebSocket, on a real session: who may do what, and what each gets to see.
import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { WebSocket } from 'ws';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { PortLike } from '../../src-main/gateway/port.ts';
import { CALLS, PATHS, SOCKET_CLOSE } from '../../src-shared/protocol/index.ts';
import { startTestGateway } from '../support/gateway.ts';
import type { TestGateway } from '../support/gateway.ts';
import { waitFor } from '../support/processes.ts';
import { startSshd } from '../support/sshd.ts';
import type { TestSshd } from '../support/sshd.ts';
import { assistant } from '../support/core.ts';
import { ViewClient, loginWith } from '../support/view-client.ts';

let sshd: TestSshd;
let rig: TestGateway;
const opened: ViewClient[] = [];

beforeAll(async () => {
  sshd = await startSshd();
  rig = await startTestGateway({ settings: { HOST_KEY_POLICY: 'accept-new' } });
});
afterEach(async () => {
  for (const view of opened.splice(0)) await view.close();
  for (const session of rig.core.sessions.list()) await rig.core.sessions.disconnect(session.name, assistant, 'test');
  await waitFor('the views to go', () => rig.gateway.viewCount === 0);
});
afterAll(async () => {
  await rig.close();
  await sshd.stop();
});

async function keep(view: Promise<ViewClient>): Promise<ViewClient> {
  const one = await view;
  opened.push(one);
  return one;
}

const run = (session: string, command: string) =>
  rig.core.sessions.get(session).run({ command, timeoutMs: 60_000 }, assistant);

describe('roles', () => {
  it('a viewer watches and does nothing else: every other call is refused and logged', async () => {
    await rig.connect('web-1', sshd);
    const view = await keep(rig.view('viewer'));
    expect(await view.call('state.get', {})).toMatchObject({ role: 'viewer', onlySession: null });
    const beyond = Object.entries(CALLS).filter(([, { role }]) => role !== 'viewer');
    expect(beyond.length).toBeGreaterThan(10);
    for (const [name] of beyond) {
      await expect(view.raw(name, { session: 'web-1', base64: 'bHMK' })).rejects.toMatchObject({
        code: 'DENIED',
        details: { reason: 'role', role: 'viewer' },
      });
    }
    const logged = rig.log.filter(({ message }) => message === 'call of a view refused: role');
    expect(logged.map(({ details }) => details['call'])).toEqual(beyond.map(([name]) => name));
  });

  it('an operator types only while driving, and never reaches what is the window’s', async () => {
    await rig.connect('web-1', sshd);
    const view = await keep(rig.view('operator'));
    const typing = { session: 'web-1', base64: Buffer.from('echo typed-$((40+2))\n').toString('base64') };
    await view.call('terminal.open', { session: 'web-1', cols: 80, rows: 24 });
    await expect(view.call('terminal.input', typing)).rejects.toMatchObject({ details: { reason: 'not_driving' } });
    await expect(view.call('command.run', { session: 'web-1', command: 'id' })).rejects.toMatchObject({
      code: 'DENIED',
    });
    await expect(view.call('terminal.resize', { session: 'web-1', cols: 90, rows: 20 })).rejects.toMatchObject({
      code: 'DENIED',
    });
    await view.call('lease.take', { session: 'web-1' });
    const stream = await view.draw({ session: 'web-1', lane: 'terminal' });
    await view.call('terminal.input', typing);
    await waitFor('the echo', () => stream.text.includes('typed-42'));
    await view.call('lease.handBack', { session: 'web-1', note: 'done' });
    await expect(view.call('tokens.get', {})).rejects.toMatchObject({ details: { reason: 'role', needed: 'owner' } });
  });

  it('what a person typed is counted in the journal and never written down', async () => {
    await rig.connect('typing', sshd);
    const view = await keep(rig.view('operator'));
    await view.call('lease.take', { session: 'typing' });
    await view.call('terminal.open', { session: 'typing', cols: 80, rows: 24 });
    for (const key of 'secret-typed-word\n') {
      await view.call('terminal.input', { session: 'typing', base64: Buffer.from(key).toString('base64') });
    }
    await waitFor('the entry', async () =>
      (await rig.journal()).some((one) => one.type === 'terminal.input' && one.session === 'typing'),
    );
    const entries = (await rig.journal()).filter((one) => one.type === 'terminal.input' && one.session === 'typing');
    expect(entries).toMatchObject([
      { session: 'typing', bytes: 18, text: '', actor: { kind: 'person', view: 'page' } },
    ]);
    expect(JSON.stringify(await rig.journal())).not.toContain('secret-typed-word');
  });
});

describe('a ticket', () => {
  it('shows its one session and nothing of the others, and ends with it', async () => {
    await rig.connect('web-1', sshd);
    await rig.connect('web-2', sshd);
    rig.core.clients.add({ ...assistant, transport: 'tcp', since: 0, lastSeen: 0 });
    const view = await keep(rig.viewOf('web-1'));
    const state = await view.call('state.get', {});
    expect(state).toMatchObject({ role: 'viewer', onlySession: 'web-1', clients: [], cards: [] });
    expect(state.sessions.map(({ name }) => name)).toEqual(['web-1']);
    const asked = {
      'command.list': { session: 'web-2' },
      'stream.open': { session: 'web-2', lane: 'commands' },
      'command.output': { session: 'web-2', commandId: 'c-x', stream: 'stdout', offset: 0, limit: 1 },
    };
    for (const [call, input] of Object.entries(asked)) {
      await expect(view.raw(call, input)).rejects.toMatchObject({ code: 'DENIED', details: { reason: 'session' } });
    }
    await run('web-2', 'echo hidden').ended;
    rig.core.cards.addFault('A fault', 'of the app');
    await run('web-1', 'echo shown').ended;
    await view.until('command.changed', ({ command }) => command.status === 'exited');
    expect(new Set(view.of('command.changed').map(({ command }) => command.sessionName))).toEqual(new Set(['web-1']));
    expect([view.of('cards.changed'), view.of('clients.changed')]).toEqual([[], []]);
    rig.core.clients.remove(assistant.id);
    await rig.core.sessions.disconnect('web-1', assistant, 'test');
    await waitFor('the line to close', () => view.closeCode !== undefined);
    expect(view.closeCode).toBe(SOCKET_CLOSE.SESSION_CLOSED);
    expect(view.of('session.removed')).toEqual([{ name: 'web-1' }]);
  });
});

/** A port of the window, made from Node's own message channel. */
function windowPort(): {
  readonly port: PortLike;
  readonly call: (call: string, input?: object) => Promise<unknown>;
  close(): void;
} {
  const { port1, port2 } = new MessageChannel();
  const port: PortLike = {
    postMessage: (message) => port1.postMessage(message),
    on: (event: 'message' | 'close', listener: (event: { data: unknown }) => void) =>
      port1.on(event, (data: unknown) => listener({ data })),
    start: () => port1.start(),
    close: () => port1.close(),
  };
  const call = async (name: string, input: object = {}) => {
    const answer = once(port2, 'message');
    port2.postMessage(JSON.stringify({ id: 1, call: name, input }));
    const [text] = (await answer) as [string];
    return JSON.parse(text) as unknown;
  };
  return { port, call, close: () => port2.close() };
}

describe('the window', () => {
  it('is a view like any other, with the owner’s calls', async () => {
    const window = windowPort();
    rig.gateway.attachPort(window.port, 'owner');
    expect(rig.gateway.viewCount).toBe(1);
    expect(await window.call('state.get')).toMatchObject({ ok: true, output: { role: 'owner', mode: 'headless' } });
    expect(await window.call('settings.get')).toMatchObject({ ok: true, output: { file: '/settings.json' } });
    expect(await window.call('tokens.get')).toMatchObject({ ok: true, output: { mcp: 'mcp-token-of-the-test' } });
    window.close();
    await waitFor('the view to go', () => rig.gateway.viewCount === 0);
  });

  it('renews the tokens: pages that came in with the old ones are sent away, a ticket’s page stays', async () => {
    const own = await startTestGateway({ settings: { HOST_KEY_POLICY: 'accept-new' } });
    await own.connect('web-1', sshd);
    const [viewer, ticket] = [await own.view('viewer'), await own.viewOf('web-1')];
    const cookie = await loginWith(own.url, own.tokens.operator);
    const window = windowPort();
    own.gateway.attachPort(window.port, 'owner');
    expect(await window.call('tokens.renew')).toMatchObject({ ok: true });
    await waitFor('the page to be sent away', () => viewer.closeCode === SOCKET_CLOSE.ACCESS_ENDED);
    await expect(ViewClient.open({ monitorUrl: own.url, cookie })).rejects.toThrow('401');
    expect(await ticket.call('state.get', {})).toMatchObject({ onlySession: 'web-1' });
    window.close();
    await own.close();
  });
});

describe('bad input', () => {
  it.each([
    ['no JSON', 'no json at all'],
    ['another JSON', '{"method":"tools/list"}'],
    ['a list', '[]'],
    ['bytes', Buffer.from([1, 2, 3])],
  ])('%s ends that line, is logged by size and hash, and harms nobody else', async (_kind, message) => {
    const [bad, good] = [await keep(rig.view('operator')), await keep(rig.view('viewer'))];
    bad.socket.send(message);
    await waitFor('the line to close', () => bad.closeCode !== undefined);
    expect(bad.closeCode).toBe(1007);
    const line = rig.log.findLast((one) => one.message === 'a view sent what is no request');
    expect(line?.details['bytes']).toBe(message.length);
    expect(line?.details['sha256']).toMatch(/^[0-9a-f]{64}$/);
    expect(await good.call('state.get', {})).toMatchObject({ role: 'viewer' });
  });

  it('a message beyond the limit ends that line', async () => {
    const view = await keep(rig.view('operator'));
    view.socket.send('x'.repeat(3 * 1024 * 1024));
    await waitFor('the line to close', () => view.closeCode !== undefined);
    expect(view.closeCode).toBe(1009);
  });

  it('a call that does not exist, or with wrong input, is answered by what is wrong', async () => {
    const view = await keep(rig.view('operator'));
    await expect(view.raw('constructor', {})).rejects.toMatchObject({ details: { reason: 'unknown_call' } });
    await expect(view.raw('pause.set', { state: 'maybe' })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      details: { reason: 'schema', field: 'state' },
    });
    await expect(view.raw('command.list', { session: 'none', more: 1 })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
    });
    await expect(view.call('command.list', { session: 'none' })).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    await expect(view.call('hostKey.answer', { id: 'none', trust: true })).rejects.toMatchObject({
      details: { reason: 'card_gone' },
    });
  });

  it('too many streams and too many views are refused, and those that are there stay', async () => {
    await rig.connect('web-1', sshd);
    const view = await keep(rig.view('viewer'));
    for (let i = 0; i < 64; i += 1) await view.draw({ session: 'web-1', lane: 'commands' });
    await expect(view.call('stream.open', { session: 'web-1', lane: 'commands' })).rejects.toMatchObject({
      details: { reason: 'streams' },
    });
    await view.call('stream.close', { streamId: 1 });
    await view.draw({ session: 'web-1', lane: 'commands' });
    const cookie = await loginWith(rig.url, rig.tokens.viewer);
    for (let i = 1; i < 64; i += 1) await keep(ViewClient.open({ monitorUrl: rig.url, cookie }));
    const last = await keep(ViewClient.open({ monitorUrl: rig.url, cookie }));
    await waitFor('the refusal', () => last.closeCode === SOCKET_CLOSE.TOO_MANY_VIEWS);
    expect(await view.call('state.get', {})).toMatchObject({ role: 'viewer' });
  });
});

describe('a line that is half open', () => {
  it('is cut when it answers no ping', async () => {
    const own = await startTestGateway({ pingMs: 50 });
    const cookie = await loginWith(own.url, own.tokens.viewer);
    const live = await own.view('viewer');
    const dead = new WebSocket(own.url.replace('http:', 'ws:') + PATHS.SOCKET, {
      headers: { cookie },
      autoPong: false,
    });
    await once(dead, 'open');
    expect(own.gateway.viewCount).toBe(2);
    const [code] = (await once(dead, 'close')) as [number];
    expect(code).toBe(1006);
    await waitFor('the view to go', () => own.gateway.viewCount === 1);
    expect(await live.call('state.get', {})).toMatchObject({ role: 'viewer' });
    await live.close();
    await own.close();
  });

  it('is cut when it takes nothing of what it asked for', async () => {
    await rig.connect('web-1', sshd);
    const command = run('web-1', 'head -c 1000000 /dev/zero');
    await command.ended;
    const view = await keep(rig.view('viewer'));
    view.socket.pause();
    const output = { session: 'web-1', commandId: command.id, stream: 'stdout', offset: 0, limit: 1_000_000 };
    const calls = Array.from({ length: 60 }, () => view.raw('command.output', output).catch(() => 'cut'));
    await waitFor('the line to be cut', () => rig.gateway.viewCount === 0);
    expect(rig.log.some(({ message }) => message === 'a view was too slow and is cut off')).toBe(true);
    view.socket.resume();
    expect(await Promise.all(calls)).toContain('cut');
  });
});
