// `bridge --url`: a client that speaks only stdio reaches remote servers of every era.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useBridgeDesk } from '../support/bridge-desk.ts';
import { freePort } from '../support/net.ts';
import { waitFor } from '../support/processes.ts';
import type { Json, RawBridge } from '../support/raw-bridge.ts';
import { REMOTE_TOKEN, startSse, startStateless, startStreamable } from '../support/remote-servers.ts';
import type { RemoteServer } from '../support/remote-servers.ts';

const here = useBridgeDesk();
let server: RemoteServer;

function to(url: string, token = REMOTE_TOKEN): RawBridge {
  return here.bridge({}, ['--url', url, '--header', `Authorization: Bearer ${token}`]);
}

async function echo(bridge: RawBridge, text: string, meta: Json = {}): Promise<unknown> {
  const params = { name: 'echo', arguments: { text }, ...meta };
  const { result, error } = await bridge.request('tools/call', params);
  return result === undefined ? error : (result as Json)['content'];
}

function echoed(text: string): unknown {
  return [{ type: 'text', text }];
}

describe.each([
  ['Streamable HTTP', startStreamable],
  ['HTTP with SSE', startSse],
])('a server of %s', (_name, start) => {
  beforeEach(async () => {
    server = await start();
  });
  afterEach(() => server.close());

  it('answers handshake, list and calls, many at once, each its own', async () => {
    const bridge = to(server.url);
    expect((await bridge.handshake())['result']).toMatchObject({ serverInfo: { name: 'remote' } });
    expect((await bridge.request('tools/list'))['result']).toMatchObject({
      tools: [{ name: 'echo' }, { name: 'grow' }],
    });
    const texts = Array.from({ length: 20 }, (_, index) => `text ${index} é€`);
    expect(await Promise.all(texts.map((text) => echo(bridge, text)))).toEqual(texts.map(echoed));
    expect(await echo(bridge, 'x'.repeat(3_000_000))).toEqual(echoed('x'.repeat(3_000_000)));
  });

  it('is heard when it speaks of its own accord', async () => {
    const bridge = to(server.url);
    await bridge.handshake();
    const changes = (): number =>
      bridge.messages().filter(({ method }) => method === 'notifications/tools/list_changed').length;
    // The stream for that opens behind the handshake, so what comes before it may be lost: ask until it is heard.
    await waitFor('list_changed', async () => {
      await bridge.request('tools/call', { name: 'grow', arguments: {} });
      return changes() > 0;
    });
  });

  it('may forget its sessions: the bridge opens one again with the client’s own words', async () => {
    const bridge = to(server.url);
    await bridge.handshake();
    expect(await echo(bridge, 'before')).toEqual(echoed('before'));
    server.forget();
    await waitFor('the session to be there again', async () => {
      return JSON.stringify(await echo(bridge, 'after')) === JSON.stringify(echoed('after'));
    });
    expect(bridge.messages().filter(({ result }) => (result as Json | undefined)?.['serverInfo'])).toHaveLength(1);
  });

  it('that refuses the token is reported, without the token', async () => {
    const bridge = to(server.url, 'wrong-token-of-the-test');
    const answer = await bridge.handshake();
    expect(answer['error']).toEqual({
      code: -32_000,
      message: `The server at ${new URL(server.url).host} failed: the server answered 401 Unauthorized`,
    });
    expect(bridge.stdout() + bridge.stderr()).not.toContain('wrong-token');
  });

  it('that is gone is reported for every request, and the bridge goes on', async () => {
    const bridge = to(server.url);
    await bridge.handshake();
    const { host } = new URL(server.url);
    await server.close();
    const fault = { code: -32_000, message: expect.stringContaining(`The server at ${host} failed: `) as unknown };
    expect(await echo(bridge, 'one')).toEqual(fault);
    expect(await echo(bridge, 'two')).toEqual(fault);
    server = await start();
  });

  it('ends with its client, within two seconds', async () => {
    const bridge = to(server.url);
    await bridge.handshake();
    await echo(bridge, 'x');
    const before = performance.now();
    bridge.child.stdin?.end();
    expect(await bridge.ended).toBe(0);
    expect(performance.now() - before).toBeLessThan(2_000);
  });
});

it('closes its session with a Streamable HTTP server at the end', async () => {
  server = await startStreamable();
  const bridge = to(server.url);
  await bridge.handshake();
  bridge.child.stdin?.end();
  await bridge.ended;
  await waitFor('the DELETE', () => server.seen.includes('DELETE /mcp 200'));
  await server.close();
});

it('reaches a server of the stateless revision', async () => {
  server = await startStateless();
  const bridge = to(server.url);
  const meta = {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'modern', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  };
  expect((await bridge.request('server/discover', meta))['result']).toMatchObject({
    supportedVersions: ['2026-07-28'],
  });
  expect(await echo(bridge, 'hello', meta)).toEqual(echoed('hello'));
  await server.close();
});

it('passes the server’s own error on when a stateless server gets a handshake', async () => {
  server = await startStateless();
  const bridge = to(server.url);
  expect((await bridge.handshake())['error']).toMatchObject({ code: -32_022 });
  await server.close();
});

it('reports an address where nobody listens', async () => {
  const port = await freePort();
  const bridge = to(`http://127.0.0.1:${port}/mcp`);
  expect((await bridge.handshake())['error']).toEqual({
    code: -32_000,
    message: `The server at 127.0.0.1:${port} failed: ECONNREFUSED`,
  });
});

it.each([
  [['--url'], '--url needs a value'],
  [['--url', 'ftp://host/x'], '--url needs an http or https address'],
  [['--url', 'nonsense'], '--url needs an http or https address'],
  [['--header', 'A: b'], '--url is missing'],
  [['--url', 'http://h/', '--header', 'secret-token'], '--header needs the form "Name: value"'],
  [['--port', '80'], '--port is not known beside --url and --header'],
])('refuses the arguments %j with code 2 and one line', async (args, line) => {
  const bridge = here.bridge({}, args);
  expect(await bridge.ended).toBe(2);
  expect(bridge.stderr()).toBe(`patchbay bridge: ${line}\n`);
  expect(bridge.stdout()).toBe('');
});
