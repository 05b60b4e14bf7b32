// The HTTP side of the gateway: who gets in, what is served, what is refused.
import http from 'node:http';
import net from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATHS } from '../../src-shared/protocol/index.ts';
import { startTestGateway } from '../support/gateway.ts';
import type { TestGateway } from '../support/gateway.ts';
import { startSilentServer } from '../support/net.ts';
import { waitFor } from '../support/processes.ts';
import { enterByLink, loginWith, postJson } from '../support/view-client.ts';

let rig: TestGateway;
let mountCalls = 0;
const mount = {
  prefix: '/mcp',
  admits: (request: http.IncomingMessage) => request.headers.authorization === 'Bearer right',
  handle: (_request: http.IncomingMessage, response: http.ServerResponse) => {
    mountCalls += 1;
    response.end('mounted');
    return Promise.resolve();
  },
  close: () => Promise.resolve(),
};

beforeAll(async () => {
  rig = await startTestGateway({ mounts: [mount] });
});
afterAll(() => rig.close());

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** A request with any header, also those that fetch forbids. */
async function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const { port } = new URL(rig.url);
  const request = http.request({ host: '127.0.0.1', port, path, method, headers, agent: false });
  request.end();
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece as Buffer);
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces).toString() };
}

/** The status with which an upgrade is answered. */
async function upgrade(headers: Record<string, string>, path: string = PATHS.SOCKET): Promise<number> {
  const { port } = new URL(rig.url);
  const request = http.request({
    ...{ host: '127.0.0.1', port, path, agent: false },
    headers: {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
      ...headers,
    },
  });
  request.end();
  const [response, socket] = (await Promise.race([once(request, 'response'), once(request, 'upgrade')])) as [
    http.IncomingMessage,
    net.Socket | undefined,
  ];
  socket?.destroy();
  response.resume();
  return response.statusCode ?? 0;
}

describe('FC45 web pages must not drive the local server', () => {
  const foreign: Record<string, string>[] = [
    { Host: 'evil.example' },
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Host: 'evil.example', Origin: 'http://evil.example' },
  ];

  it.each(foreign)('FC45 %o is refused with 403 on every path, before the mounted part sees it', async (headers) => {
    const before = mountCalls;
    for (const path of ['/', '/session/web-1', '/healthz', '/mcp', '/mcp/x', PATHS.ACCESS, '/assets/monitor-0a1b.js']) {
      expect((await ask(path, headers)).status).toBe(403);
      expect((await ask(path, { ...headers, 'Content-Type': 'text/plain' }, 'POST')).status).toBe(403);
    }
    expect(mountCalls).toBe(before);
    expect(rig.log.some(({ level, message }) => level === 'warn' && message === 'request refused')).toBe(true);
  });

  it.each(foreign)('FC45 a WebSocket with %o is refused with 403, also with a valid cookie', async (headers) => {
    const cookie = await loginWith(rig.url, rig.tokens.operator);
    expect(await upgrade({ ...headers, Cookie: cookie })).toBe(403);
  });

  it('FC45 a request without Origin is let in', async () => {
    expect((await ask('/mcp')).body).toBe('mounted');
    expect((await ask('/mcp', { Origin: rig.url })).body).toBe('mounted');
    expect((await ask('/mcpx')).status).toBe(404);
  });

  it('FC45 a plain form cannot carry a token', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const answer = await fetch(rig.url + PATHS.LOGIN, {
        method: 'POST',
        headers: { 'content-type': type },
        body: JSON.stringify({ token: rig.tokens.operator }),
      });
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([415, []]);
    }
  });

  it('FC45 no answer allows another origin to read it', async () => {
    const answer = await ask('/healthz', { Origin: rig.url });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('FC45 a target that brings its own host is refused', async () => {
    const socket = net.connect(Number(new URL(rig.url).port), '127.0.0.1');
    socket.end(`GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
    let text = '';
    for await (const piece of socket) text += String(piece);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('the page', () => {
  it('is served with 401 and the way in when the browser has no access, and with 200 when it has', async () => {
    for (const path of ['/', '/session/web-1']) {
      const before = await ask(path);
      expect([before.status, before.headers['www-authenticate']]).toEqual([401, 'Bearer realm="Patchbay"']);
      expect(before.body).toContain('assets/monitor-0a1b.js');
      expect((await ask(path, { Cookie: await loginWith(rig.url, rig.tokens.viewer) })).status).toBe(200);
    }
  });

  it('allows scripts of its own only, and nobody may frame it', async () => {
    const { headers } = await ask('/');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'self';/);
    expect(policy).toContain(`connect-src 'self' ws://${headers['host'] ?? new URL(rig.url).host}`);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
  });

  it('finds its assets from both addresses, to be kept for good', async () => {
    for (const path of ['/assets/monitor-0a1b.js', '/session/assets/monitor-0a1b.js']) {
      const answer = await ask(path);
      expect([answer.status, answer.body]).toEqual([200, 'export {};']);
      expect(answer.headers['content-type']).toBe('text/javascript; charset=utf-8');
      expect(answer.headers['cache-control']).toContain('immutable');
    }
  });

  it.each([
    '/assets/../secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/',
    '/assets/.hidden',
    '/secret.txt',
    '/renderer/monitor.html',
    '/session/',
    '/session/a/b',
  ])('serves nothing at %s', async (path) => {
    const answer = await ask(path);
    expect(answer.status).toBe(404);
    expect(answer.body).not.toContain('not for the web');
  });

  it('is read only: another method is refused', async () => {
    expect((await ask('/', {}, 'DELETE')).status).toBe(405);
    expect((await ask('/', {}, 'OPTIONS')).status).toBe(405);
  });
});

describe('the way in', () => {
  const access = async (cookie: string, session?: string): Promise<unknown> => {
    const query = session === undefined ? '' : `?session=${session}`;
    const answer = await ask(PATHS.ACCESS + query, { Cookie: cookie });
    return answer.status === 200 ? JSON.parse(answer.body) : answer.status;
  };

  it('by a token gives that role, in a cookie that no script and no other site gets', async () => {
    const answer = await postJson(rig.url + PATHS.LOGIN, { token: rig.tokens.operator });
    expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/; Path=\/; HttpOnly; SameSite=Strict$/)]);
    expect(await access(await loginWith(rig.url, rig.tokens.operator))).toEqual({
      role: 'operator',
      onlySession: null,
    });
    expect(await access(await loginWith(rig.url, rig.tokens.viewer))).toEqual({ role: 'viewer', onlySession: null });
  });

  it('by a link lets see that one session and nothing else', async () => {
    const link = rig.gateway.links.sessionUrl('web-1');
    expect(link).toMatch(new RegExp(`^${rig.url}/session/web-1#v=[A-Za-z0-9_-]{43}$`));
    const cookie = await enterByLink(link);
    expect(await access(cookie, 'web-1')).toEqual({ role: 'viewer', onlySession: 'web-1' });
    expect(await access(cookie, 'web-2')).toBe(401);
    expect(await access(cookie)).toBe(401);
    expect((await ask('/session/web-1', { Cookie: cookie })).status).toBe(200);
    expect((await ask('/', { Cookie: cookie })).status).toBe(401);
    expect(await upgrade({ Cookie: cookie })).toBe(401);
    expect(await upgrade({ Cookie: cookie }, `${PATHS.SOCKET}?session=web-1`)).toBe(101);
  });

  it('by a link ends when its session closes', async () => {
    const link = rig.gateway.links.sessionUrl('short');
    const cookie = await enterByLink(link);
    rig.core.events.emit('session.removed', { name: 'short' });
    expect(await access(cookie, 'short')).toBe(401);
    await expect(enterByLink(link)).rejects.toThrow('401');
  });

  it('is closed without a cookie, and the way out takes it away', async () => {
    expect(await access('')).toBe(401);
    expect(await upgrade({})).toBe(401);
    const cookie = await loginWith(rig.url, rig.tokens.viewer);
    const answer = await postJson(rig.url + PATHS.LOGOUT, {}, { cookie });
    expect(answer.headers.getSetCookie()).toEqual([expect.stringContaining('Max-Age=0')]);
  });

  it('takes no body that is too long, no JSON, or has other fields', async () => {
    expect((await postJson(rig.url + PATHS.LOGIN, { token: 'x'.repeat(5000) })).status).toBe(413);
    expect((await postJson(rig.url + PATHS.LOGIN, { token: rig.tokens.viewer, more: 1 })).status).toBe(400);
    const broken = await fetch(rig.url + PATHS.LOGIN, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"token":',
    });
    expect(broken.status).toBe(400);
  });

  it('is slow for whoever tries tokens, lets a right one in all the same, and no token reaches the log', async () => {
    const tries = await startTestGateway();
    const login = (token: string) => postJson(tries.url + PATHS.LOGIN, { token });
    const answers: Response[] = [];
    for (let i = 0; i < 12; i += 1) answers.push(await login(`wrong-token-${i}`));
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeCloseTo(60, -1);
    expect((await login(tries.tokens.operator)).status).toBe(204);
    expect((await login('wrong-token-13')).status).toBe(429);
    expect(JSON.stringify(tries.log)).not.toContain('wrong-token');
    await tries.close();
  });
});

describe('many connections without access', () => {
  it('do not shut out one that has it: the oldest of them makes way', async () => {
    const port = Number(new URL(rig.url).port);
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const known = async (): Promise<{ status: number | undefined; reused: boolean }> => {
      const headers = { authorization: 'Bearer right' };
      const request = http.request({ host: '127.0.0.1', port, path: '/mcp', headers, agent });
      request.end();
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      response.resume();
      await once(response, 'end');
      return { status: response.statusCode, reused: request.reusedSocket };
    };
    expect(await known()).toEqual({ status: 200, reused: false });
    const silent: net.Socket[] = [];
    let dropped = 0;
    for (let count = 0; count < 600; count += 1) {
      const socket = net.connect({ host: '127.0.0.1', port });
      socket.on('error', () => undefined);
      socket.once('close', () => (dropped += 1));
      silent.push(socket);
      await once(socket, 'connect');
    }
    await waitFor('the oldest to be dropped', () => dropped === 600 - 256);
    expect(await known()).toEqual({ status: 200, reused: true });
    expect((await ask('/healthz')).status).toBe(200);
    for (const socket of silent) socket.destroy();
    agent.destroy();
  });
});

describe('the port', () => {
  it('that a person set and that is taken stops the start and says so', async () => {
    const other = await startSilentServer();
    await expect(startTestGateway({ settings: { WEB_PORT: other.port } })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      message: `WEB_PORT ${other.port} on 127.0.0.1: another program is using it`,
      details: { reason: 'port_in_use', setting: 'WEB_PORT' },
    });
    await other.close();
  });

  it('that is the default and taken gives way to the next free one, which is shown everywhere', async () => {
    const other = await startSilentServer();
    const moved = await startTestGateway({ settings: { WEB_PORT: other.port }, portIsExplicit: false });
    expect(new URL(moved.url).port).not.toBe(String(other.port));
    expect(moved.gateway.endpoints.mcpHttpUrl).toBe(`${moved.url}/mcp`);
    expect(moved.gateway.links.sessionUrl('a')).toContain(moved.url);
    expect((await fetch(`${moved.url}/healthz`)).status).toBe(200);
    await moved.close();
    await other.close();
  });

  it('on an address that this computer does not have stops the start', async () => {
    await expect(startTestGateway({ settings: { WEB_HOST: '192.0.2.1' } })).rejects.toMatchObject({
      details: { reason: 'address_not_available', setting: 'WEB_HOST' },
    });
  });

  it('beyond loopback warns, and answers allowed names only', async () => {
    const open = await startTestGateway({ settings: { WEB_HOST: '0.0.0.0', WEB_ALLOWED_HOSTS: ['lab.example'] } });
    expect(open.log.filter(({ level }) => level === 'warn').map(({ message }) => message)).toEqual([
      expect.stringContaining('without TLS'),
    ]);
    expect(open.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
    const { port } = new URL(open.url);
    const statusAs = async (host: string) => {
      const request = http.get({ host: '127.0.0.1', port, path: '/healthz', headers: { Host: host }, agent: false });
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    expect(await Promise.all(['lab.example', 'other.example'].map(statusAs))).toEqual([200, 403]);
    await open.close();
  });

  it('says that all is well, and nothing else, to whoever asks', async () => {
    expect((await ask('/healthz')).body).toBe('{"status":"ok"}');
  });
});
