// Channels over a live connection: bytes, ends, back-pressure, limits.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appErrorOf } from '../../support/app-error.ts';
import { waitFor } from '../../support/processes.ts';
import type { TestSshd } from '../../support/sshd.ts';
import { hasTerminals, startSshd } from '../../support/sshd.ts';
import { collect, connectTo, execText } from '../../support/ssh-connect.ts';
import type { SshConnection } from '../../../src-main/core/ssh/port.ts';

let server: TestSshd;
let connection: SshConnection;
beforeAll(async () => {
  server = await startSshd({ accounts: [{ name: 'tester' }] });
  connection = await connectTo(server);
});
afterAll(async () => {
  connection.close();
  await server.stop();
});

async function result(command: string, input?: Uint8Array) {
  const channel = await connection.exec(command);
  const collected = collect(channel);
  if (input !== undefined) await channel.write(input);
  channel.endInput();
  return collected;
}

describe('an exec channel', () => {
  it('keeps stdout, stderr and the exit code apart', async () => {
    const { stdout, stderr, exitCode, signal } = await result('printf out; printf err >&2; exit 3');
    expect([stdout.toString(), stderr.toString(), exitCode, signal]).toEqual(['out', 'err', 3, null]);
  });

  it('names the signal without SIG', async () => {
    expect(await result('kill -TERM $$')).toMatchObject({ exitCode: null, signal: 'TERM' });
  });

  it('FC02 delivers every byte of both streams before its end, each time', async () => {
    const command = 'head -c 5000000 /dev/zero | tr "\\0" o; head -c 5000000 /dev/zero | tr "\\0" e >&2';
    for (let round = 0; round < 4; round += 1) {
      const { stdout, stderr, exitCode } = await result(command);
      expect([stdout.length, stderr.length, exitCode]).toEqual([5_000_000, 5_000_000, 0]);
    }
  });

  it('FC03 ends although nobody takes stderr', async () => {
    const channel = await connection.exec('echo out; head -c 5000000 /dev/zero >&2; exit 5');
    let stdout = '';
    channel.onStdout = (bytes) => (stdout += bytes.toString());
    const end = await new Promise((resolve) => (channel.onClose = resolve));
    expect([stdout, end]).toEqual(['out\n', { exitCode: 5, signal: null }]);
  });

  it('takes megabytes of input and gives them back exactly', async () => {
    const input = Buffer.alloc(8 * 1024 * 1024);
    for (let at = 0; at < input.length; at += 4) input.writeUInt32LE((at * 2_654_435_761) % 2 ** 32, at);
    const { stdout } = await result('cat', input);
    const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
    expect(digest(stdout)).toBe(digest(input));
  });

  it('stops the source while it is paused, and loses nothing', async () => {
    const channel = await connection.exec('head -c 20000000 /dev/zero');
    let seen = 0;
    channel.onStdout = (bytes) => (seen += bytes.length);
    const closed = new Promise((resolve) => (channel.onClose = resolve));
    channel.pause();
    const before = connection.bytesIn;
    // The window of 2 MiB fills, then the server has to wait; a round trip on another channel shows that time passed.
    await waitFor('the window to fill', () => connection.bytesIn - before >= 2_000_000);
    for (let trip = 0; trip < 5; trip += 1) await execText(connection, 'true');
    expect(connection.bytesIn - before).toBeLessThan(3_500_000);
    expect(seen).toBe(0);
    channel.resume();
    expect(await closed).toEqual({ exitCode: 0, signal: null });
    expect(seen).toBe(20_000_000);
  });

  it('passes signals on', async () => {
    const channel = await connection.exec('trap "echo caught; exit 9" INT; echo ready; while :; do sleep 0.05; done');
    let text = '';
    const ended = new Promise((resolve) => (channel.onClose = resolve));
    channel.onStdout = (bytes) => {
      text += bytes.toString();
      if (text === 'ready\n') channel.signal('INT');
    };
    expect(await ended).toEqual({ exitCode: 9, signal: null });
    expect(text).toBe('ready\ncaught\n');
  });

  it('ends at once when it is closed, and then takes nothing more', async () => {
    const channel = await connection.exec('echo first; sleep 300');
    const got: string[] = [];
    const ended = new Promise((resolve) => (channel.onClose = resolve));
    await new Promise<void>((resolve) => {
      channel.onStdout = (bytes) => {
        got.push(bytes.toString());
        resolve();
      };
    });
    channel.close();
    channel.close();
    expect(await ended).toEqual({ exitCode: null, signal: null });
    await channel.write('nobody reads this');
    channel.endInput();
    expect(got).toEqual(['first\n']);
    expect(await execText(connection, 'echo next')).toBe('next\n');
  });

  it('lets a writer go on when the channel ends while it waits', async () => {
    const channel = await connection.exec('sleep 0.2');
    const ended = collect(channel);
    await channel.write(Buffer.alloc(16 * 1024 * 1024));
    await ended;
  });

  it('is not asked for with a NUL byte, which would end the connection', async () => {
    expect(await appErrorOf(connection.exec('echo a\0b'))).toMatchObject({ code: 'INVALID_PARAMS' });
  });
});

describe.runIf(hasTerminals)('a shell channel', () => {
  it('has a terminal of the size that was asked for, and follows changes', async () => {
    const shell = await connection.shell({ cols: 101, rows: 33, term: 'xterm-256color' });
    let screen = '';
    shell.onData = (bytes) => (screen += bytes.toString());
    const ended = new Promise((resolve) => (shell.onClose = resolve));
    await shell.write('stty size; echo $TERM:$((40+2))\r');
    await waitFor('the first size', () => screen.includes('33 101') && screen.includes('xterm-256color:42'));
    shell.resize(90, 20);
    await shell.write('stty size\r');
    await waitFor('the second size', () => screen.includes('20 90'));
    shell.pause();
    shell.resume();
    await shell.write('exit 4\r');
    expect(await ended).toEqual({ exitCode: 4, signal: null });
  });
});

describe('a long-lived connection', () => {
  it('goes through new key exchanges in the middle of a transfer without a byte lost', async () => {
    const strict = await startSshd({ config: ['RekeyLimit 1M', 'LogLevel DEBUG1'] });
    const busy = await connectTo(strict);
    const channel = await busy.exec('head -c 12000000 /dev/zero; echo end >&2');
    const { stdout, stderr, exitCode } = await collect(channel);
    expect([stdout.length, stderr.toString(), exitCode]).toEqual([12_000_000, 'end\n', 0]);
    expect(strict.log().match(/rekey(?:ing)? /gi)?.length ?? 0).toBeGreaterThan(3);
    expect(await execText(busy, 'echo still here')).toBe('still here\n');
    busy.close();
    await strict.stop();
  });
});

describe('few channels per connection', () => {
  it.runIf(hasTerminals)('says so when the host gives no more, and gives the next one when one is closed', async () => {
    const one = await startSshd({ config: ['MaxSessions 1'] });
    const narrow = await connectTo(one);
    const shell = await narrow.shell({ cols: 80, rows: 24, term: 'xterm' });
    const error = await appErrorOf(narrow.exec('true'));
    expect(error).toMatchObject({ code: 'UNSUPPORTED', details: { reason: 'channel_limit', port: one.port } });
    const ended = new Promise((resolve) => (shell.onClose = resolve));
    await shell.write('exit\r');
    await ended;
    for (let round = 0; round < 3; round += 1) expect(await execText(narrow, `echo ${round}`)).toBe(`${round}\n`);
    narrow.close();
    await one.stop();
  });

  it('gives channels back: 25 at once on a wide host, then many in a row', async () => {
    const ten = await startSshd({ config: ['MaxSessions 30'] });
    const wide = await connectTo(ten);
    const texts = await Promise.all(Array.from({ length: 25 }, (_, index) => execText(wide, `echo ${index}`)));
    expect(texts).toEqual(Array.from({ length: 25 }, (_, index) => `${index}\n`));
    for (let round = 0; round < 60; round += 1) expect(await execText(wide, 'echo in')).toBe('in\n');
    wide.close();
    await ten.stop();
  });
});
