// The one HTTP server of the app: monitor page, its WebSocket, and what other parts mount (MCP).
import http from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sessionPath } from '../../src-shared/protocol/index.ts';
import type { Log } from '../core/core.ts';
import type { HttpMount } from '../core/http-mount.ts';
import { Strangers } from '../core/strangers.ts';
import { Access } from './access.ts';
import { answerApi, sendJson } from './api.ts';
import { Attempts } from './attempts.ts';
import { HANDLERS } from './handlers.ts';
import { listen } from './listen.ts';
import { isLoopbackName, parseTarget, refusalOf } from './origin.ts';
import { COMMON_HEADERS, assetPath, sendAsset, sendPage } from './pages.ts';
import type { Gateway, GatewayOptions } from './port.ts';
import { createSockets } from './socket.ts';
import { TypedBytes } from './typed-bytes.ts';
import { Views } from './views.ts';
import { portWire } from './wire.ts';

/** A request has to be complete within this time; answers may take as long as they like. */
const REQUEST_MS = 120_000;
const HEADERS_MS = 10_000;
/** Connections at once, pages and MCP clients together. */
const CONNECTION_LIMIT = 1024;
/** Of them, those on which nothing was granted yet; the oldest makes way, so silent ones shut out nobody. */
const STRANGER_LIMIT = 256;
/** Between two pings; a line that has answered none since the last is half open. */
const PING_MS = 15_000;

interface Served {
  readonly options: GatewayOptions;
  readonly access: Access;
  readonly attempts: Attempts;
  readonly strangers: Strangers;
}

/** Starts the gateway. Rejects with INVALID_PARAMS when it cannot listen (see listen.ts). */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const access = new Access(options.tokens);
  const server = http.createServer({ requestTimeout: REQUEST_MS, headersTimeout: HEADERS_MS });
  server.maxConnections = CONNECTION_LIMIT;
  const strangers = watchStrangers(server, options.log);
  const served: Served = { options, access, attempts: new Attempts(), strangers };
  server.on('request', (request, response) => void serve(served, request, response));
  const { WEB_HOST: host, WEB_PORT: wanted, WEB_ALLOWED_HOSTS: allowedHosts } = options.settings;
  const port = await listen(server, { host, port: wanted, isExplicit: options.portIsExplicit });
  access.listensOn(port);
  warnBeyondLoopback(options);
  const monitorUrl = `http://${urlHost(host)}:${port}`;
  const endpoints = { monitorUrl, mcpHttpUrl: `${monitorUrl}/mcp`, mcpTcpPort: options.mcpTcpPort };
  const { core, log, owner } = options;
  const typedBytes = new TypedBytes(core);
  const typed = typedBytes.add.bind(typedBytes);
  const views = new Views({ core, log, owner, endpoints, handlers: HANDLERS, typed });
  const refused = (request: IncomingMessage, why: string) => logRefusal(options, request, why);
  const sockets = createSockets({ access, views, allowedHosts, refused, pingMs: options.pingMs ?? PING_MS });
  server.on('upgrade', (request, socket, head) => {
    if (sockets.upgrade(request, socket, head)) strangers.settle(socket);
  });
  const endForgetting = core.events.on('session.removed', ({ name }) => access.forget(name));
  return {
    endpoints,
    links: { sessionUrl: (name) => `${monitorUrl}${sessionPath(name)}#v=${access.ticketOf(name)}` },
    attachPort: (messagePort, role) => {
      views.attach({ role, onlySession: null, kind: 'window' }, portWire(messagePort));
    },
    get viewCount() {
      return views.count;
    },
    close: async () => {
      endForgetting();
      views.close();
      sockets.close();
      await typedBytes.close();
      await Promise.all(options.mounts.map((mount) => mount.close()));
      await closeServer(server);
    },
  };
}

/** A connection is a stranger until something was granted on it (see `route`). */
function watchStrangers(server: http.Server, log: Log): Strangers {
  const strangers = new Strangers(STRANGER_LIMIT);
  server.on('connection', (socket) => {
    if (strangers.arrive(socket)) log.warn('a connection was dropped: too many without access', {});
    socket.once('close', () => strangers.settle(socket));
  });
  return strangers;
}

async function serve(served: Served, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { options } = served;
  try {
    for (const [name, value] of Object.entries(COMMON_HEADERS)) response.setHeader(name, value);
    const refusal = refusalOf(request.headers, options.settings.WEB_ALLOWED_HOSTS);
    if (refusal !== undefined) {
      logRefusal(options, request, refusal);
      return sendJson(response, 403, { error: `Refused: ${refusal}` });
    }
    const url = parseTarget(request.url);
    if (url === undefined) return sendJson(response, 400, { error: 'Not a path' });
    await route(served, { request, response, url });
  } catch (error) {
    options.log.error('a request failed', { method: request.method, error });
    if (response.headersSent) response.destroy();
    else sendJson(response, 500, { error: 'Patchbay met a fault of its own' });
  }
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
}

async function route(served: Served, exchange: Exchange): Promise<void> {
  const { options, access, attempts, strangers } = served;
  const { request, response, url } = exchange;
  const mount = options.mounts.find((one) => isBelow(one, url.pathname));
  const cookie = request.headers.cookie;
  const admitted = mount?.admits(request) ?? access.grantOf(cookie, url.searchParams.get('session')) !== undefined;
  if (admitted) strangers.settle(request.socket);
  if (mount !== undefined) return mount.handle(request, response);
  if (url.pathname === '/healthz') return sendJson(response, 200, { status: 'ok' });
  if (await answerApi({ access, attempts, log: options.log }, exchange)) return;
  if (request.method !== 'GET' && request.method !== 'HEAD') return sendJson(response, 405, { error: 'GET only' });
  const asset = assetPath(url.pathname);
  if (asset !== undefined && (await sendAsset(response, options.assetsDir, asset))) return;
  const page = pageOf(url.pathname);
  if (page === undefined) return sendJson(response, 404, { error: 'There is nothing here' });
  const status = access.grantOf(cookie, page.session) === undefined ? 401 : 200;
  await sendPage(response, { assetsDir: options.assetsDir, host: request.headers.host ?? '', status });
}

/** Whether a path is a page, and whose: that of all sessions, or that of one. */
function pageOf(pathname: string): { readonly session: string | null } | undefined {
  if (pathname === '/') return { session: null };
  const session = /^\/session\/([A-Za-z0-9_-]{1,64})\/?$/.exec(pathname)?.[1];
  return session === undefined ? undefined : { session };
}

function isBelow(mount: HttpMount, pathname: string): boolean {
  return pathname === mount.prefix || pathname.startsWith(mount.prefix.replace(/\/?$/, '/'));
}

function logRefusal({ log }: GatewayOptions, request: IncomingMessage, why: string): void {
  const { host, origin } = request.headers;
  log.warn('request refused', { why, method: request.method, host, origin, address: request.socket.remoteAddress });
}

function warnBeyondLoopback({ settings, log }: GatewayOptions): void {
  const host = settings.WEB_HOST;
  if (isLoopbackName(host)) return;
  log.warn('the monitor page is reachable from beyond this computer without TLS; put a TLS proxy in front of it', {
    host,
  });
  if (settings.WEB_ALLOWED_HOSTS.length === 0) {
    log.warn('WEB_ALLOWED_HOSTS is empty, so only loopback names are answered', { host });
  }
}

/** A wildcard address is reached as loopback; a literal IPv6 address stands in brackets. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

async function closeServer(server: http.Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
