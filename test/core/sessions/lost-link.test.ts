// What becomes of sessions when the link or the server fails: lost commands, reconnect, restored shells.
import fs from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../../src-main/core/sessions/port.ts';
import type { TestCore } from '../../support/core.ts';
import { assistant, outputOf, person, runToEnd, startCore } from '../../support/core.ts';
import type { Relay } from '../../support/net.ts';
import { startRelay } from '../../support/net.ts';
import { waitFor } from '../../support/processes.ts';
import type { TestSshd } from '../../support/sshd.ts';
import { startSshd } from '../../support/sshd.ts';

let server: TestSshd;
let home: TestCore | undefined;
let relay: Relay | undefined;
const unhandled: unknown[] = [];
const note = (error: unknown): void => void unhandled.push(error);

beforeAll(async () => {
  process.on('uncaughtException', note).on('unhandledRejection', note);
  server = await startSshd();
});
afterAll(async () => {
  process.off('uncaughtException', note).off('unhandledRejection', note);
  await server.stop();
});
afterEach(async () => {
  await home?.close();
  await relay?.close();
  home = relay = undefined;
  expect(unhandled).toEqual([]);
});

const connected = (session: Session) => (): boolean => session.view().status === 'connected';

/** A running command that has printed `before`. */
async function startPrinting(session: Session) {
  const command = session.run({ command: 'echo before; sleep 30; echo after', timeoutMs: 600_000 }, assistant);
  await waitFor('the output', () => command.stream('stdout').length > 0);
  return command;
}

describe('a lost connection', () => {
  it('FC22 ends what runs as lost with its output, reconnects, and the next call runs there and says so', async () => {
    home = await startCore();
    const session = await home.connect('web-1', server);
    await runToEnd(session, 'cd /tmp; export FRUIT=apple; hidden=1');
    const lost = await startPrinting(session);
    const queued = session.run({ command: 'echo "$PWD $FRUIT $hidden"', timeoutMs: 60_000 }, assistant);
    await server.killConnections();
    await lost.ended;
    expect(lost.view()).toMatchObject({ status: 'lost', exitCode: null });
    expect((await outputOf(lost)).stdout).toBe('before\n');
    await waitFor('the loss to be shown', () => session.view().status === 'reconnecting');
    expect(session.view().retryAt).toBeGreaterThan(Date.now() - 2000);
    expect(session.takeNotices()[0]).toContain('is being made again');
    await queued.ended;
    expect((await outputOf(queued)).stdout).toBe('/tmp apple \n');
    expect(session.view()).toMatchObject({ status: 'connected', statusReason: null, retryAt: null, reconnects: 1 });
    expect(session.takeNotices()).toEqual([expect.stringContaining('has been made again')]);
    expect(session.commands().filter((command) => command.view().command.includes('before'))).toHaveLength(1);
    const events = (await home.journal()).filter(
      ({ type }) => type === 'session.lost' || type === 'session.reconnected',
    );
    expect(events).toMatchObject([{ type: 'session.lost' }, { type: 'session.reconnected', attempts: 1 }]);
  });

  it('FC20 a half-open link ends the command as lost and the session comes back by itself', async () => {
    home = await startCore({ settings: { KEEPALIVE_SECONDS: 1 } });
    relay = await startRelay(server.port);
    const { port } = relay;
    const session = await home.connect('web-1', server, { port });
    const lost = await startPrinting(session);
    relay.stall();
    await lost.ended;
    expect(lost.view()).toMatchObject({ status: 'lost', exitCode: null });
    expect((await outputOf(lost)).stdout).toBe('before\n');
    relay.resume();
    await waitFor('the reconnect', connected(session), 20_000);
    expect((await runToEnd(session, 'echo here')).stdout).toBe('here\n');
  });

  it('FC21 a reset by the server harms nothing else, and nothing is reconnected after a disconnect', async () => {
    home = await startCore();
    const { core } = home;
    relay = await startRelay(server.port);
    const { port } = relay;
    const sessions: Session[] = [];
    for (let i = 0; i < 5; i += 1) sessions.push(await home.connect(`s-${i}`, server, { port }));
    const safe = await home.connect('safe', server);
    relay.refuse();
    relay.reset();
    await waitFor('all five to be lost', () => sessions.every((s) => s.view().status === 'reconnecting'));
    expect(sessions[0]?.view().statusReason).toMatch(/./);
    expect((await runToEnd(safe, 'echo fine')).stdout).toBe('fine\n');
    await core.sessions.disconnect('s-0', person, 'enough');
    await waitFor('a failed attempt', () => /last attempt/.test(sessions[1]?.view().statusReason ?? ''));
    relay.accept();
    await waitFor('the other four', () => sessions.slice(1).every((s) => s.view().status === 'connected'), 20_000);
    expect(sessions[0]?.view().status).toBe('closed');
    expect(core.sessions.list().map(({ name }) => name)).toEqual(['s-1', 's-2', 's-3', 's-4', 'safe']);
    expect(home.logged.filter((line) => line.includes('"error"'))).toEqual([]);
  });

  it('FC19 one failed connect does not poison the next, be it refused or reset in the handshake', async () => {
    home = await startCore();
    relay = await startRelay(server.port);
    const { port } = relay;
    relay.refuse();
    await expect(home.connect('web-1', server, { port })).rejects.toMatchObject({ details: {} });
    relay.accept();
    await home.connect('web-1', server, { port });
    // Nothing comes through, so the handshake is under way when the reset comes.
    relay.stall();
    const before = relay.connections;
    const second = home.connect('web-2', server, { port });
    await waitFor('the handshake', () => (relay?.connections ?? 0) > before);
    relay.reset();
    await expect(second).rejects.toMatchObject({ name: 'AppError' });
    relay.resume();
    await home.connect('web-2', server, { port });
    expect(home.core.sessions.get('web-2').view().status).toBe('connected');
  });

  it('gives up where the login is refused; the name can be connected anew and its place is not lost', async () => {
    home = await startCore({ settings: { MAX_SESSIONS: 1 } });
    const session = await home.connect('web-1', server);
    const waiting = await startPrinting(session);
    const queued = session.run({ command: 'echo never', timeoutMs: 1000 }, assistant);
    const keys = `${server.folder}/authorized/${server.account.name}`;
    const authorized = await fs.readFile(keys);
    await fs.writeFile(keys, '');
    await server.killConnections();
    await waitFor('the end', () => session.view().status === 'lost', 20_000);
    await fs.writeFile(keys, authorized);
    await Promise.all([waiting.ended, queued.ended]);
    expect(queued.view().status).toBe('cancelled');
    expect(session.view().retryAt).toBeNull();
    expect(() => session.run({ command: 'x', timeoutMs: 1 }, assistant)).toThrow('is lost');
    expect((await outputOf(waiting)).stdout).toBe('before\n');
    await home.connect('web-1', server);
    expect(home.core.sessions.list().map((s) => s.view().status)).toEqual(['connected']);
  });

  it('FC15 a host that logs idle shells out closes the terminal; commands go on', async () => {
    home = await startCore();
    for (const file of ['.bash_profile', '.bashrc'])
      await fs.writeFile(`${server.account.home}/${file}`, 'export TMOUT=2\n');
    try {
      const session = await home.connect('web-1', server);
      await session.terminal.ensureOpen({ cols: 80, rows: 24 });
      await waitFor('the log-out', () => !session.view().terminalOpen, 20_000);
      const { stream } = session.terminal;
      expect((await stream.read(0, stream.length)).toString()).toContain('[terminal closed]');
      expect((await runToEnd(session, 'pwd')).stdout).toBe(`${server.account.home}\n`);
      expect(session.view()).toMatchObject({ status: 'connected', reconnects: 0 });
    } finally {
      for (const file of ['.bash_profile', '.bashrc']) await fs.rm(`${server.account.home}/${file}`);
    }
  });

  it('closes the terminal, which opens again on the new connection', async () => {
    home = await startCore();
    const session = await home.connect('web-1', server);
    await session.terminal.ensureOpen({ cols: 80, rows: 24 });
    await server.killConnections();
    await waitFor('the reconnect', () => session.view().reconnects === 1 && connected(session)());
    expect(session.view().terminalOpen).toBe(false);
    await session.terminal.ensureOpen({ cols: 80, rows: 24 });
    expect(session.view().terminalOpen).toBe(true);
  });
});
