// What happens when the link dies, stalls or is cut, and when we close it.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { appErrorOf } from '../../support/app-error.ts';
import type { Relay } from '../../support/net.ts';
import { startRelay } from '../../support/net.ts';
import { waitFor } from '../../support/processes.ts';
import type { TestSshd } from '../../support/sshd.ts';
import { startSshd } from '../../support/sshd.ts';
import type { ConnectChanges } from '../../support/ssh-connect.ts';
import { collect, connectTo, execText } from '../../support/ssh-connect.ts';
import type { SshConnection } from '../../../src-main/core/ssh/port.ts';

let server: TestSshd;
let relay: Relay;
beforeAll(async () => {
  server = await startSshd();
  relay = await startRelay(server.port);
});
afterAll(async () => {
  await relay.close();
  await server.stop();
});
const open: SshConnection[] = [];
afterEach(() => {
  relay.resume();
  for (const connection of open.splice(0)) connection.close();
});

async function through(changes: ConnectChanges = {}): Promise<SshConnection> {
  const connection = await connectTo(server, { port: relay.port, ...changes });
  open.push(connection);
  return connection;
}

function lost(connection: SshConnection): Promise<string> {
  return new Promise((resolve) => (connection.onLost = resolve));
}

/** Starts a long command and waits for its first line. */
async function begun(connection: SshConnection) {
  const channel = await connection.exec('echo before; sleep 300');
  const result = collect(channel);
  const deliver = channel.onStdout;
  await new Promise<void>((resolve) => {
    channel.onStdout = (bytes) => {
      deliver(bytes);
      resolve();
    };
  });
  return { channel, result };
}

describe('FC21 a reset by the server', () => {
  it('ends five connections with their channels and nothing else', async () => {
    const direct = await connectTo(server);
    open.push(direct);
    const five = await Promise.all(Array.from({ length: 5 }, () => through()));
    const commands = await Promise.all(five.map(begun));
    const reasons = five.map(lost);
    relay.reset();
    expect(await Promise.all(reasons)).toEqual(Array.from({ length: 5 }, () => 'The connection was reset.'));
    for (const { result } of commands) {
      const { stdout, exitCode, signal } = await result;
      expect([stdout.toString(), exitCode, signal]).toEqual(['before\n', null, null]);
    }
    expect(await execText(direct, 'echo well')).toBe('well\n');
  });

  it('does not matter right after close, and is not reported then', async () => {
    const connection = await through();
    let told = false;
    connection.onLost = () => (told = true);
    connection.close();
    relay.reset();
    await expect(appErrorOf(connection.exec('true'))).resolves.toMatchObject({ code: 'SESSION_LOST' });
    await roundTrip();
    expect(told).toBe(false);
  });
});

/** A full round trip on a new connection: whatever was on its way has arrived. */
async function roundTrip(): Promise<void> {
  const connection = await connectTo(server);
  await execText(connection, 'true');
  connection.close();
}

describe('a server that goes away', () => {
  it('is reported once, the running command keeps its output and has no code, later calls fail at once', async () => {
    const connection = await through();
    const { result } = await begun(connection);
    const reasons: string[] = [];
    const told = new Promise<void>((resolve) => {
      connection.onLost = (reason) => {
        reasons.push(reason);
        resolve();
      };
    });
    await server.killConnections();
    await told;
    const { stdout, exitCode } = await result;
    expect([stdout.toString(), exitCode]).toEqual(['before\n', null]);
    expect(await appErrorOf(connection.exec('true'))).toMatchObject({
      code: 'SESSION_LOST',
      details: { reason: 'connection_ended' },
    });
    expect(await appErrorOf(connection.shell({ cols: 80, rows: 24, term: 'xterm' }))).toMatchObject({
      code: 'SESSION_LOST',
    });
    connection.close();
    // Which of the two depends on what the kernel still had to send.
    expect(reasons).toEqual([expect.stringMatching(/^The (?:server closed the connection|connection was reset)\.$/)]);
  });

  it('is told also to a listener that comes late', async () => {
    const connection = await through();
    const first = lost(connection);
    await server.killConnections();
    const reason = await first;
    expect(await lost(connection)).toBe(reason);
    expect(connection.onLost).toBeTypeOf('function');
  });
});

describe('FC20 a half-open link', () => {
  it('is found dead by keep-alive: the command ends with its output and the socket is closed', async () => {
    const connection = await through({ keepAliveMs: 100 });
    const { result } = await begun(connection);
    await waitFor('a round trip to be measured', () => connection.rttMs !== null);
    expect(connection.rttMs).toBeGreaterThan(0);
    relay.stall();
    const pending = appErrorOf(connection.exec('never answered'));
    expect(await lost(connection)).toContain('did not answer three keep-alive messages');
    const { stdout, exitCode } = await result;
    expect([stdout.toString(), exitCode]).toEqual(['before\n', null]);
    expect(await pending).toMatchObject({ code: 'SESSION_LOST' });
  });

  it('lets close end everything at once, without an answer', async () => {
    const connection = await through();
    const { result, channel } = await begun(connection);
    relay.stall();
    const pending = appErrorOf(connection.exec('never answered'));
    const before = relay.open;
    connection.close();
    connection.close();
    expect((await result).exitCode).toBeNull();
    expect(await pending).toMatchObject({ code: 'SESSION_LOST' });
    await channel.write('into the void');
    await waitFor('the socket to close', () => relay.open < before);
  });

  it('does not close an idle healthy connection', async () => {
    const connection = await through({ keepAliveMs: 40 });
    let told = '';
    connection.onLost = (reason) => (told = reason);
    const bytes = connection.bytesIn;
    await waitFor('ten answers', () => connection.bytesIn - bytes > 10 * 28);
    expect(told).toBe('');
    expect(await execText(connection, 'echo alive')).toBe('alive\n');
  });
});

describe('a damaged stream', () => {
  it('ends the connection at once, and whatever is done with it meanwhile does no harm', async () => {
    const bad = await startRelay(server.port);
    const connection = await through({ port: bad.port, keepAliveMs: 50 });
    const { channel, result } = await begun(connection);
    const shell = await connection.exec('cat');
    bad.damage();
    const told = new Promise<string>((resolve) => {
      connection.onLost = (reason) => {
        // In this very moment ssh2 is broken, and its channels do not know yet.
        channel.signal('INT');
        channel.endInput();
        void shell.write('into the void');
        shell.close();
        connection.close();
        resolve(reason);
      };
    });
    expect(await told).toMatch(/^The connection ended: /);
    expect((await result).stdout.toString()).toBe('before\n');
    expect(await appErrorOf(connection.exec('true'))).toMatchObject({ code: 'SESSION_LOST' });
    await bad.close();
  });
});

describe('close', () => {
  it('ends running channels and leaves nothing of the connection on the server', async () => {
    const connection = await connectTo(server);
    const { result } = await begun(connection);
    connection.close();
    expect(await result).toMatchObject({ exitCode: null, signal: null });
    await waitFor('sshd to notice', () => server.log().includes('Received disconnect from 127.0.0.1'));
  });
});
