// Checks that a client with the right token that floods, does not read or sends monsters holds up nobody.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_LINE_BYTES } from '../../src-shared/mcp-identity.ts';
import { connectClient } from '../support/mcp-clients.ts';
import { createCoreDouble } from '../support/mcp-core-double.ts';
import type { CoreDouble } from '../support/mcp-core-double.ts';
import { startMcp } from '../support/mcp-server.ts';
import type { McpTestServer } from '../support/mcp-server.ts';
import { waitFor } from '../support/processes.ts';
import { RawSocket } from '../support/raw-socket.ts';

const ping = (id: number): string => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`;
const call = (value: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ssh_hosts","arguments":${value}}}\n`;

let double: CoreDouble;
let server: McpTestServer;
beforeEach(async () => {
  double = createCoreDouble();
  server = await startMcp(double.core);
});
afterEach(() => server.close());

async function open(): Promise<RawSocket> {
  const socket = await RawSocket.open(server.tcp.tcp);
  await socket.write(`AUTH ${server.token}\n`);
  return socket;
}

const logged = (message: string): boolean => double.log.some((line) => line.message === message);

describe('a line of a shape that nobody sends', () => {
  it.each([
    {
      what: 'nested 100,000 levels deep',
      value: `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      says: 'deeper than 64',
    },
    { what: 'of 400,000 keys', value: `{${'"k":1,'.repeat(400_000)}"k":1}`, says: 'more than 20000 parts' },
    { what: 'of 2,000,000 strings', value: `[${'"",'.repeat(2_000_000)}""]`, says: 'more than 20000 parts' },
  ])('is refused before it is parsed: $what', async ({ value, says }) => {
    const socket = await open();
    await socket.write(call(value));
    await socket.write(ping(2));
    const refused = await socket.message(0);
    expect(refused).toMatchObject({ error: { code: -32_600 } });
    expect(JSON.stringify(refused)).toContain(says);
    expect(await socket.message(1)).toMatchObject({ id: 2, result: {} });
  });

  it('is refused over HTTP alike', async () => {
    const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
    const body = call(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    const answer = await fetch(server.http.url, { method: 'POST', headers, body });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('deeper than 64');
  });
});

describe('a burst', () => {
  it('of 20,000 requests is answered whole and in turns, so that another client is served meanwhile', async () => {
    const other = await connectClient({ kind: 'new', way: server.tcp, token: server.token });
    const socket = await open();
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    await socket.write(Array.from({ length: 20_000 }, (_, id) => ping(id)).join(''));
    expect((await other.call('ssh_list_sessions')).isError).toBe(false);
    const answeredBefore = socket.lines.length;
    await waitFor('all answers', () => socket.lines.length === 20_000, 60_000);
    delay.disable();
    // Not a bar: shows in the output of a failed run what held it up.
    expect(answeredBefore, `longest block ${delay.max / 1e6} ms`).toBeLessThan(20_000);
    expect(await socket.message(19_999)).toMatchObject({ id: 19_999, result: {} });
    await other.close();
  });

  it('of lines that are no messages ends the connection with a word', async () => {
    const socket = await open();
    await socket.write('junk\n'.repeat(300_000)).catch(() => undefined);
    await socket.end();
    expect(socket.lines.length).toBe(101);
    expect(await socket.message(100)).toMatchObject({ error: { code: -32_000 } });
    expect(logged('MCP connection closed: too many faulty lines in a row')).toBe(true);
  });

  it('of requests before the end of the stream is answered before the connection ends', async () => {
    const socket = await open();
    const all = Array.from({ length: 200 }, (_, id) => ping(id)).join('');
    socket.socket.end(all);
    await socket.end();
    expect(socket.lines.length).toBeGreaterThanOrEqual(180);
  });

  it('of commands that do not end is refused beyond 1,000, and a cancellation makes room again', async () => {
    double.open('web-1');
    const socket = await open();
    const exec = (id: number): string =>
      `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'ssh_exec', arguments: { sessionName: 'web-1', command: 'x', waitSeconds: 600 } } })}\n`;
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'flood', version: '1' } };
    await socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: hello })}\n`);
    await socket.message(0);
    await socket.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    await socket.write(Array.from({ length: 1_001 }, (_, number) => exec(number + 1)).join(''));
    expect(await socket.message(1)).toMatchObject({ id: 1001, error: { code: -32_000 } });
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5, reason: 'enough' } };
    await socket.write(`${JSON.stringify(cancel)}\n${ping(2_000)}`);
    await waitFor('the ping to be answered', () => socket.lines.some((line) => line.includes('"id":2000')));
    socket.socket.destroy();
  });
});

describe('a client that does not read', () => {
  it('is read no further, and the others are served', async () => {
    const socket = await open();
    socket.socket.pause();
    const list = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })}\n`;
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'deaf', version: '1' } };
    await socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: hello })}\n`);
    const before = process.memoryUsage().rss;
    // 40,000 lists of 14 KB would be 560 MB of answers.
    const sent = socket.write(list.repeat(40_000));
    const other = await connectClient({ kind: 'new', way: server.tcp, token: server.token });
    for (let round = 0; round < 200; round += 1) expect((await other.call('ssh_list_sessions')).isError).toBe(false);
    expect(process.memoryUsage().rss - before).toBeLessThan(250 * 1024 * 1024);
    socket.socket.destroy();
    await sent.catch(() => undefined);
    await other.close();
  });
});

describe('connections without a token', () => {
  it('do not shut out those that have one: the oldest of them makes way', async () => {
    const client = await connectClient({ kind: 'new', way: server.tcp, token: server.token });
    const silent: RawSocket[] = [];
    for (let count = 0; count < 600; count += 1) silent.push(await RawSocket.open(server.tcp.tcp));
    await waitFor('the oldest to be dropped', () => silent.filter(({ closed }) => closed).length === 600 - 128);
    expect((await client.call('ssh_list_sessions')).isError).toBe(false);
    const late = await connectClient({ kind: 'old', way: server.tcp, token: server.token });
    expect((await late.call('ssh_list_sessions')).isError).toBe(false);
    for (const { socket } of silent) socket.destroy();
    await Promise.all([client.close(), late.close()]);
  });
});

it('a line of one long string up to the limit is taken, also when all of it is escaped', async () => {
  const socket = await open();
  const room = MAX_LINE_BYTES - 200;
  await socket.write(
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${'\\"'.repeat(Math.floor(room / 2))}"}}\n`,
  );
  expect(await socket.message(0)).toMatchObject({ id: 1, result: {} });
});
