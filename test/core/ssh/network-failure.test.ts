// Hosts that cannot be reached or do not speak SSH: each has its own code, reason and sentence, in time.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { appErrorOf } from '../../support/app-error.ts';
import type { SmallServer } from '../../support/net.ts';
import {
  freePort,
  startAnswering,
  startClosing,
  startHangingPort,
  startRelay,
  startResetting,
  startServer,
  startSilentServer,
  startWebServer,
} from '../../support/net.ts';
import { hasNamespaces, makeProbe, SWALLOWED, UNREACHABLE } from '../../support/netns.ts';
import { waitFor } from '../../support/processes.ts';
import { run } from '../../support/run.ts';
import type { TestSshd } from '../../support/sshd.ts';
import { startSshd } from '../../support/sshd.ts';
import { connectTo, execText } from '../../support/ssh-connect.ts';
import { errorCode, networkFailure } from '../../../src-main/core/ssh/network-failure.ts';
import { handshakeFailure } from '../../../src-main/core/ssh/handshake-failure.ts';
import type { ErrorData } from '../../../src-shared/errors.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function from(starting: Promise<SmallServer>): Promise<SmallServer> {
  const server = await starting;
  cleanUps.push(() => server.close());
  return server;
}

async function sshd(config: readonly string[] = []): Promise<TestSshd> {
  const server = await startSshd({ config });
  cleanUps.push(() => server.stop());
  return server;
}

const SECRET = 'pass-word-for-nobody';

/** Tries to connect with a password to a port, with a short time-out. */
async function failure(port: number, changes: { host?: string; timeoutMs?: number } = {}) {
  const startedAt = Date.now();
  const error = await appErrorOf(
    connectTo(
      { port, account: NOBODY },
      { timeoutMs: 1000, ...changes, credentials: { password: SECRET }, username: 'nobody' },
    ),
  );
  expect(JSON.stringify(error)).not.toContain(SECRET);
  return { ...error, ms: Date.now() - startedAt };
}
const NOBODY = { name: 'nobody', uid: 0, password: '', keyFile: '', home: '', shell: '' };

describe('the network', () => {
  it('says that a closed port refuses', async () => {
    const port = await freePort();
    const error = await failure(port);
    expect(error).toMatchObject({
      code: 'NETWORK_ERROR',
      message: `127.0.0.1:${port} refused the connection: nothing listens on this port`,
      details: { reason: 'refused', host: '127.0.0.1', port, systemCode: 'ECONNREFUSED' },
    });
  });

  it('says that a name cannot be resolved', async () => {
    const error = await failure(22, { host: 'no-such-host.invalid' });
    expect(error).toMatchObject({
      code: 'NETWORK_ERROR',
      message: 'The host name no-such-host.invalid cannot be resolved to an address',
      details: { reason: 'unresolvable' },
    });
  });

  it('ends within the time-out where connects hang', async () => {
    const server = await from(startHangingPort());
    const error = await failure(server.port, { timeoutMs: 700 });
    expect(error).toMatchObject({ code: 'NETWORK_ERROR', details: { reason: 'timeout', timeoutMs: 700 } });
    expect(error.message).toBe(`127.0.0.1:${server.port} did not answer within 0.7 s`);
    expect(error.ms).toBeLessThan(5000);
  });

  it.runIf(hasNamespaces)('tells a network without a route from one that swallows everything', async () => {
    const probe = await makeProbe(fileURLToPath(new URL('../../support/connect-probe.ts', import.meta.url)));
    cleanUps.push(() => probe.close());
    const order = (host: string) =>
      JSON.stringify({
        target: { host, port: 22, username: 'nobody', credentials: { password: SECRET }, identityFiles: [] },
        timeoutMs: 1000,
        knownHostsFiles: [],
      });
    const { stdout } = await probe.inNetwork([order(UNREACHABLE), order(SWALLOWED)]);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { result: ErrorData; ms: number });
    expect(lines[0]?.result).toMatchObject({ code: 'NETWORK_ERROR', details: { reason: 'no_route' } });
    expect(lines[0]?.result.message).toBe(`There is no route to ${UNREACHABLE}:22 from this computer`);
    expect(lines[1]?.result).toMatchObject({ code: 'NETWORK_ERROR', details: { reason: 'timeout' } });
    expect(lines[1]?.ms).toBeLessThan(5000);
  });

  it('says that the connection was reset', async () => {
    const server = await from(startResetting());
    const error = await failure(server.port, { timeoutMs: 10_000 });
    expect(error).toMatchObject({ code: 'NETWORK_ERROR', details: { reason: 'reset' } });
    const atOnce = await from(startServer((socket) => void socket.resetAndDestroy()));
    expect(await failure(atOnce.port)).toMatchObject({ code: 'NETWORK_ERROR', details: { reason: 'reset' } });
  });

  it('notices a connection that ended while the keys were read', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'patchbay-slow-'));
    cleanUps.push(() => fs.rmSync(folder, { recursive: true }));
    // Reading a pipe that nobody has written to yet lets the test decide when known_hosts is there.
    const pipe = path.join(folder, 'known_hosts');
    await run('mkfifo', [pipe]);
    const server = await from(startResetting());
    const trying = appErrorOf(
      connectTo(
        { port: server.port, account: NOBODY },
        { credentials: { password: SECRET }, knownHostsFiles: [pipe], timeoutMs: 10_000 },
      ),
    );
    await waitFor('the connection to come and go', () => server.connections === 1 && server.open === 0);
    fs.writeFileSync(pipe, '');
    expect((await trying).details['reason']).toBe('reset');
  });

  it('stops at once when the caller gives up, at every stage', async () => {
    const silent = await from(startSilentServer());
    const hanging = await from(startHangingPort());
    const controller = new AbortController();
    const tries = [silent, hanging].map(({ port }) =>
      appErrorOf(
        connectTo({ port, account: NOBODY }, { credentials: { password: SECRET }, signal: controller.signal }),
      ),
    );
    setImmediate(() => controller.abort());
    for (const error of await Promise.all(tries)) expect(error.details['reason']).toBe('cancelled');
    const late = connectTo(
      { port: silent.port, account: NOBODY },
      { credentials: { password: SECRET }, signal: controller.signal },
    );
    expect((await appErrorOf(late)).details['reason']).toBe('cancelled');
  });

  it('picks the most telling of several failed addresses', () => {
    const both = Object.assign(new Error('several'), {
      errors: [
        Object.assign(new Error('a'), { code: 'ENETUNREACH' }),
        Object.assign(new Error('b'), { code: 'ECONNREFUSED' }),
      ],
    });
    expect(errorCode(both)).toBe('ECONNREFUSED');
    expect(errorCode('text')).toBe('');
    const where = { host: '::1', port: 22, username: 'me' };
    expect(networkFailure(where, new Error('odd\nfault'))).toMatchObject({
      message: 'The connection to [::1]:22 failed: odd fault',
      details: { reason: 'socket' },
    });
  });
});

describe('FC37 the port does not speak SSH, or not at once', () => {
  const answers = [
    {
      who: 'a web server',
      bytes: 'HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\n\r\nbad request',
      shown: 'HTTP/1.1 400 Bad Request',
    },
    { who: 'a mail server', bytes: '220 mail.example.com ESMTP\r\n', shown: '220 mail.example.com ESMTP' },
    {
      who: 'a telnet server',
      bytes: Buffer.from([0xff, 0xfd, 0x18, 0xff, 0xfd, 0x20, 0x6c, 0x6f, 0x67]),
      shown: '\\xff\\xfd\\x18',
    },
    { who: 'a TLS server', bytes: Buffer.from([0x15, 3, 1, 0, 2, 2, 70]), shown: '\\x15\\x03\\x01' },
  ];
  it.each(answers)('says at once what came from $who', async ({ bytes, shown }) => {
    const server = await from(startAnswering(bytes));
    const error = await failure(server.port, { timeoutMs: 10_000 });
    expect(error).toMatchObject({ code: 'CONNECTION_ERROR', details: { reason: 'not_ssh' } });
    expect(error.message).toContain(`127.0.0.1:${server.port} is not an SSH server: it sent "${shown}`);
    expect(error.ms).toBeLessThan(5000);
  });

  it('says what a web server answers that waits for us to speak first', async () => {
    const server = await from(startWebServer());
    const error = await failure(server.port, { timeoutMs: 10_000 });
    expect(error.message).toContain('it sent "HTTP/1.1 400 Bad Request');
  });

  it('says at the time-out what came when it was no known greeting, or that nothing came', async () => {
    const chatty = await from(startAnswering('Welcome to the lift control\r\nlogin: '));
    expect(await failure(chatty.port)).toMatchObject({
      code: 'CONNECTION_ERROR',
      message: `127.0.0.1:${chatty.port} is not an SSH server: it sent "Welcome to the lift control login:"`,
    });
    const silent = await from(startSilentServer());
    const error = await failure(silent.port);
    expect(error).toMatchObject({
      code: 'NETWORK_ERROR',
      message: `127.0.0.1:${silent.port} accepted the connection but sent nothing within 1 s`,
      details: { reason: 'timeout' },
    });
    expect(error.ms).toBeLessThan(5000);
  });

  it('gives up on a server that talks without end', async () => {
    const flood = await from(startAnswering(Buffer.alloc(20_000, 'x')));
    expect(await failure(flood.port, { timeoutMs: 10_000 })).toMatchObject({ details: { reason: 'not_ssh' } });
    const lines = await from(startAnswering('noise\r\n'.repeat(12_000)));
    expect(await failure(lines.port, { timeoutMs: 10_000 })).toMatchObject({ details: { reason: 'not_ssh' } });
  });

  it('says that the server closed before it sent anything, or in the handshake', async () => {
    const closing = await from(startClosing());
    const early = await failure(closing.port);
    expect(early).toMatchObject({ code: 'CONNECTION_ERROR', details: { reason: 'closed_in_handshake' } });
    expect(early.message).toBe(`127.0.0.1:${closing.port} closed the connection before it sent anything`);
    const late = await from(
      startServer((socket) => {
        socket.write('SSH-2.0-Closing_1\r\n');
        socket.once('data', () => socket.end());
      }),
    );
    expect(await failure(late.port)).toMatchObject({
      code: 'CONNECTION_ERROR',
      message: `127.0.0.1:${late.port} closed the connection during the SSH handshake`,
    });
  });

  it('names an old protocol', async () => {
    const server = await from(startAnswering('SSH-1.5-OldBox\r\n'));
    expect(await failure(server.port)).toMatchObject({ code: 'CONNECTION_ERROR', details: { reason: 'old_protocol' } });
  });

  it('says so when the handshake stands still or turns into nonsense', async () => {
    const stuck = await from(startAnswering('SSH-2.0-Stuck\r\n'));
    expect((await failure(stuck.port)).message).toContain('did not finish the SSH handshake within 1 s');
    const nonsense = await from(
      startAnswering(Buffer.concat([Buffer.from('SSH-2.0-Odd\r\n'), Buffer.alloc(64, 0xee)])),
    );
    expect(await failure(nonsense.port)).toMatchObject({
      code: 'CONNECTION_ERROR',
      details: { reason: 'handshake_failed' },
    });
  });

  it('accepts a version line without a software name', async () => {
    const real = await sshd();
    const bare = await from(startNameless(real.port));
    const connection = await connectTo(real, { port: bare.port }).catch((error: unknown) => error);
    // The relay changes the line that both sides sign, so only the signature can fail: the line itself was accepted.
    expect(connection).toMatchObject({ code: 'CONNECTION_ERROR', details: { reason: 'bad_signature' } });
  });
});

/** A relay that takes the software name out of the server's version line. */
function startNameless(port: number): Promise<SmallServer> {
  return startRelay(port, {
    change: (bytes) => Buffer.from(bytes.toString('latin1').replace(/^SSH-2\.0-\S+[^\r\n]*/, 'SSH-2.0-'), 'latin1'),
  });
}

describe('FC36 slow or talkative hosts before the first line', () => {
  const cases = [
    { mode: 'a notice in one piece', before: 'Authorised use only\r\n', pieces: 1000 },
    { mode: 'two notices in small pieces', before: 'Authorised use only\r\nAll sessions are recorded\r\n', pieces: 7 },
    { mode: 'the version line byte by byte', before: '', pieces: 1 },
  ];
  it.each(cases)('connects through $mode and keeps the notice', async ({ before, pieces }) => {
    const real = await sshd();
    const slow = await from(startRelay(real.port, { before, pieces }));
    const connection = await connectTo(real, { port: slow.port });
    cleanUps.push(() => connection.close());
    expect(await execText(connection, 'echo through')).toBe('through\n');
    expect(connection.banner).toBe(before.replaceAll('\r', '').trim());
  });
});

describe('algorithms', () => {
  it('lists what a host offers when nothing is in common', async () => {
    const old = await sshd(['KexAlgorithms diffie-hellman-group14-sha1', 'HostKeyAlgorithms ssh-ed25519']);
    expect(await failure(old.port)).toMatchObject({
      code: 'CONNECTION_ERROR',
      details: { reason: 'no_common_algorithm', kind: 'key exchange method', offered: ['diffie-hellman-group14-sha1'] },
    });
    const cipher = await sshd(['Ciphers 3des-cbc']);
    expect((await failure(cipher.port)).message).toContain(
      'offers no cipher that is accepted here; it offers 3des-cbc',
    );
    const mac = await sshd(['Ciphers aes128-ctr', 'MACs umac-64@openssh.com']);
    expect((await failure(mac.port)).message).toContain('offers no integrity method that is accepted here');
  });

  it('does not use group exchange where a host has a fixed group too', async () => {
    const both = await sshd([
      'KexAlgorithms diffie-hellman-group-exchange-sha256,diffie-hellman-group14-sha256',
      'LogLevel DEBUG1',
    ]);
    const connection = await connectTo(both);
    cleanUps.push(() => connection.close());
    expect(both.log()).toContain('kex: algorithm: diffie-hellman-group14-sha256');
  });

  it('passes on what a server says when it hangs up in the handshake', async () => {
    const text = 'Too busy,\u0007 come back later';
    const payload = Buffer.concat([Buffer.from([1, 0, 0, 0, 2]), sshString(text), sshString('')]);
    const server = await from(startAnswering(Buffer.concat([Buffer.from('SSH-2.0-Busy\r\n'), plainPacket(payload)])));
    const error = await failure(server.port, { timeoutMs: 10_000 });
    expect(error).toMatchObject({ code: 'CONNECTION_ERROR', details: { reason: 'ended_by_server' } });
    expect(error.message).toBe(`127.0.0.1:${server.port} ended the connection: Too busy, come back later`);
  });

  it('names a bad signature and a server’s own words', () => {
    const where = { host: 'h', port: 22, username: 'u' };
    const bad = handshakeFailure(where, new Error('Handshake failed: signature verification failed'), new Map());
    expect(bad.details['reason']).toBe('bad_signature');
    const lost = handshakeFailure(where, new Error('Connection lost before handshake'), new Map());
    expect(lost.details['reason']).toBe('closed_in_handshake');
  });
});

describe('FC19 one failed connect must not poison the next', () => {
  it('connects after a refusal and after a reset in the middle of the handshake', async () => {
    const real = await sshd();
    const relay = await startRelay(real.port);
    cleanUps.push(() => relay.close());
    relay.refuse();
    expect((await appErrorOf(connectTo(real, { port: relay.port }))).details['reason']).toBe('reset');
    relay.accept();
    (await connectTo(real, { port: relay.port })).close();
    relay.resetAfter(300);
    expect((await appErrorOf(connectTo(real, { port: relay.port }))).details['reason']).toBe('reset');
    relay.resetAfter(Infinity);
    const again = await connectTo(real, { port: relay.port });
    expect(await execText(again, 'echo well')).toBe('well\n');
    again.close();
  });
});

function sshString(text: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(text));
  return Buffer.concat([length, Buffer.from(text)]);
}

/** A packet before any encryption: length, length of the padding, payload, padding to a multiple of eight. */
function plainPacket(payload: Buffer): Buffer {
  const padding = 8 - ((payload.length + 5) % 8) + 8;
  const head = Buffer.alloc(5);
  head.writeUInt32BE(payload.length + padding + 1);
  head[4] = padding;
  return Buffer.concat([head, payload, Buffer.alloc(padding)]);
}
