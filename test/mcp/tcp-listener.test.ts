// Checks the TCP door: who is let in, what is refused with which words, and that bad lines harm nobody else.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_LINE_BYTES } from '../../src-shared/mcp-identity.ts';
import { CLIENT_KINDS, connectClient } from '../support/mcp-clients.ts';
import { clientNames, createCoreDouble } from '../support/mcp-core-double.ts';
import type { CoreDouble } from '../support/mcp-core-double.ts';
import { startMcp } from '../support/mcp-server.ts';
import type { McpTestServer } from '../support/mcp-server.ts';
import { waitFor } from '../support/processes.ts';
import { RawSocket } from '../support/raw-socket.ts';

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

let double: CoreDouble;
let server: McpTestServer;

beforeEach(async () => {
  double = createCoreDouble();
  server = await startMcp(double.core);
});
afterEach(() => server.close());

const connect = (): Promise<RawSocket> => RawSocket.open(server.tcp.tcp);
const logText = (): string => JSON.stringify(double.log);

describe('the opening line', () => {
  it.each([
    { line: 'AUTH wrong-token-SECRETGUESS', why: 'the token is wrong' },
    { line: 'AUTH', why: 'the first line has to be "AUTH <token>"' },
    { line: '{"jsonrpc":"2.0","id":1,"method":"initialize"}', why: 'the first line has to be "AUTH <token>"' },
    { line: `AUTH ${'x'.repeat(600)}`, why: 'the first line is too long' },
  ])('is refused with one clear line: $why', async ({ line, why }) => {
    const socket = await connect();
    await socket.write(`${line}\n`);
    await socket.end();
    expect(socket.lines).toHaveLength(1);
    expect(await socket.message(0)).toMatchObject({ id: null, error: { code: -32_001 } });
    expect(socket.lines[0]).toContain(JSON.stringify(why).slice(1, -1));
    expect(double.log).toContainEqual(expect.objectContaining({ level: 'warn', message: 'MCP connection refused' }));
    expect(logText()).not.toContain('SECRETGUESS');
    expect(clientNames(double.core)).toEqual([]);
  });

  it('FC45 that is HTTP is refused and logged, without a word of it in the log', async () => {
    const socket = await connect();
    await socket.write('POST /mcp HTTP/1.1\r\nHost: evil.example\r\nX-Secret: EVILSECRET\r\n\r\n{}');
    await socket.end();
    expect(socket.lines).toHaveLength(1);
    expect(socket.lines[0]).toContain('does not speak HTTP');
    expect(logText()).toContain('does not speak HTTP');
    expect(logText()).not.toContain('EVILSECRET');
  });

  it('that never comes ends the connection after its time', async () => {
    await server.close();
    server = await startMcp(double.core, { openingMs: 50 });
    const socket = await connect();
    await socket.end();
    expect(socket.lines[0]).toContain('no token came in time');
  });

  it('that never ends is cut off', async () => {
    const socket = await connect();
    await socket.write('A'.repeat(5_000));
    await socket.end();
    expect(socket.lines[0]).toContain('too long');
  });

  it('may come in pieces, with the first message right behind it', async () => {
    const socket = await connect();
    await socket.write('AUTH ');
    await socket.write(`${server.token}\r\n${JSON.stringify(PING)}\n${JSON.stringify({ ...PING, id: 2 })}\n`);
    expect(await socket.message(0)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(await socket.message(1)).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
  });

  it('counts no more once the token was renewed, while open connections go on', async () => {
    const before = await connect();
    await before.write(`AUTH ${server.token}\n${JSON.stringify(PING)}\n`);
    expect(await before.message(0)).toMatchObject({ id: 1 });
    server.renewToken('another-token-0123456789-0123456789-0123456');
    const after = await connect();
    await after.write(`AUTH ${server.token}\n`);
    await after.end();
    expect(after.lines[0]).toContain('the token is wrong');
    await before.write(`${JSON.stringify({ ...PING, id: 2 })}\n`);
    expect(await before.message(1)).toMatchObject({ id: 2, result: {} });
  });

  it('tells the bridge, which speaks for a stdio client, from other clients', async () => {
    const bridge = await connectClient({ kind: 'old', way: server.tcp, token: server.token, about: 'bridge 0.1.0' });
    const other = await connectClient({ kind: 'old', way: server.tcp, token: server.token });
    expect(double.core.clients.list().map(({ transport }) => transport)).toEqual(['stdio', 'tcp']);
    await Promise.all([bridge.close(), other.close()]);
    await waitFor('both to be off the list', () => double.core.clients.list().length === 0);
    expect(double.journal.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['client.connected', 'client.connected', 'client.gone', 'client.gone']),
    );
  });
});

describe('a line', () => {
  const open = async (): Promise<RawSocket> => {
    const socket = await connect();
    await socket.write(`AUTH ${server.token}\n`);
    return socket;
  };

  it('that is not JSON is answered as a parse error, logged by size and hash, and the next one works', async () => {
    const socket = await open();
    await socket.write(`{"password":"HIDDENWORD\n${JSON.stringify(PING)}\n`);
    expect(await socket.message(0)).toMatchObject({ id: null, error: { code: -32_700 } });
    expect(await socket.message(1)).toMatchObject({ id: 1, result: {} });
    const [line] = double.log.filter(({ message }) => message === 'MCP line refused');
    const why = 'Parse error: the line is not JSON';
    expect(line?.details).toEqual({ why, bytes: 23, sha256: expect.stringMatching(/^[0-9a-f]{16}$/) as unknown });
    expect(logText()).not.toContain('HIDDENWORD');
  });

  it('that is JSON but no message is answered as an invalid request with its id', async () => {
    const socket = await open();
    await socket.write('{"id":7,"hello":"HIDDENWORD"}\n[1,2]\n');
    expect(await socket.message(0)).toMatchObject({ id: 7, error: { code: -32_600 } });
    expect(await socket.message(1)).toMatchObject({ id: null, error: { code: -32_600 } });
    expect(logText()).not.toContain('HIDDENWORD');
  });

  it('that is empty is passed over', async () => {
    const socket = await open();
    await socket.write(`\n\r\n${JSON.stringify(PING)}\n`);
    expect(await socket.message(0)).toMatchObject({ id: 1 });
  });

  it('of 50 MB is refused with an error while this client and others go on', async () => {
    const socket = await open();
    const other = await connectClient({ kind: 'new', way: server.tcp, token: server.token });
    const piece = Buffer.alloc(1024 * 1024, 'a');
    for (let count = 0; count < 50; count += 1) await socket.write(piece);
    expect((await other.call('ssh_list_sessions')).isError).toBe(false);
    await socket.write(`\n${JSON.stringify(PING)}\n`);
    const refused = await socket.message(0);
    expect(refused).toMatchObject({ id: null, error: { code: -32_600 } });
    expect(JSON.stringify(refused)).toContain(`at most ${MAX_LINE_BYTES} are allowed`);
    expect(await socket.message(1)).toMatchObject({ id: 1, result: {} });
    await other.close();
  });

  it('of almost the limit is taken', async () => {
    const client = await connectClient({ kind: 'new', way: server.tcp, token: server.token });
    double.open('web-1');
    const stdin = 'x'.repeat(8 * 1024 * 1024);
    const result = await client.call('ssh_exec', { sessionName: 'web-1', command: 'cat', stdin, waitSeconds: 0 });
    expect(result).toMatchObject({ isError: false });
    expect(double.session('web-1').ran[0]?.request.stdin?.length).toBe(stdin.length);
    await client.close();
  });
});

describe('many clients', () => {
  it('FC43 get each their own answers and see the same sessions, also when one comes and goes 50 times', async () => {
    double.open('shared-1');
    const steady = await Promise.all(
      CLIENT_KINDS.flatMap((kind) => [
        connectClient({ kind, way: server.tcp, token: server.token, name: `steady-tcp-${kind}` }),
        connectClient({ kind, way: server.http, token: server.token, name: `steady-http-${kind}` }),
      ]),
    );
    const answers = await Promise.all(steady.map((client) => client.call('ssh_list_sessions')));
    for (const { structure } of answers) expect(structure).toMatchObject({ sessions: [{ name: 'shared-1' }] });
    const runs = steady.map((client, number) =>
      client.call('ssh_exec', { sessionName: 'shared-1', command: `echo ${number}`, waitSeconds: 20 }),
    );
    await waitFor('all commands to be asked for', () => double.session('shared-1').ran.length === steady.length);
    for (let round = 0; round < 50; round += 1) {
      const client = await connectClient({
        kind: 'old',
        way: server.tcp,
        token: server.token,
        name: 'restless',
        list: false,
      });
      expect((await client.call('ssh_list_sessions')).isError).toBe(false);
      await client.close();
    }
    for (const command of double.session('shared-1').ran) {
      command.streams.stdout.append(`answer to ${command.request.command}\n`);
      command.finish();
    }
    const results = await Promise.all(runs);
    for (const [number, { structure }] of results.entries()) {
      expect(structure).toMatchObject({ stdout: `answer to echo ${number}\n`, exitCode: 0 });
    }
    await waitFor('the restless one to be gone', () => !clientNames(double.core).includes('restless'));
    await Promise.all(steady.map((client) => client.close()));
  });

  it('end with the listener', async () => {
    const socket = await connect();
    await socket.write(`AUTH ${server.token}\n`);
    await server.close();
    await socket.end();
    server = await startMcp(double.core);
  });
});
