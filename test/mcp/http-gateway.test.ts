// Checks that web pages cannot drive MCP over HTTP: the mount behind the real gateway.
import http from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HttpMount } from '../../src-main/core/http-mount.ts';
import { createMcpHttpMount } from '../../src-main/mcp/http-mount.ts';
import { startGatewayOn } from '../support/gateway-on.ts';
import { createCoreDouble } from '../support/mcp-core-double.ts';

const TOKEN = 'gateway-test-token-0123456789-0123456789-xy';
const BODY = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'page', version: '1' } },
});

describe('FC45 MCP over HTTP', () => {
  const double = createCoreDouble();
  let mount: HttpMount;
  let gateway: { readonly url: string; close(): Promise<void> };

  beforeAll(async () => {
    const { core } = double;
    mount = createMcpHttpMount({ core, links: { sessionUrl: () => '' }, log: core.options.log, token: () => TOKEN });
    gateway = await startGatewayOn(core, [mount]);
  });
  afterAll(async () => {
    await mount.close();
    await gateway.close();
  });

  const post = (headers: Record<string, string>): Promise<number> => {
    const { hostname, port } = new URL(gateway.url);
    const all = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers };
    return new Promise((resolve, reject) => {
      const request = http.request({ hostname, port, path: '/mcp', method: 'POST', headers: all }, (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
      });
      request.on('error', reject);
      request.end(BODY);
    });
  };
  const authorization = `Bearer ${TOKEN}`;

  it.each([
    { name: 'a foreign Host', headers: { host: 'evil.example', authorization } },
    { name: 'a foreign Origin', headers: { origin: 'https://evil.example', authorization } },
    { name: 'Origin null', headers: { origin: 'null', authorization } },
    { name: 'a foreign Host and no token', headers: { host: 'evil.example' } },
  ])('FC45 answers $name with 403 before any work, even with the right token', async ({ headers }) => {
    expect(await post({ ...headers })).toBe(403);
    expect(double.core.clients.list()).toEqual([]);
  });

  it('FC45 refuses a plain form post, and lets a client without Origin in', async () => {
    expect(await post({ authorization, 'content-type': 'text/plain' })).toBe(415);
    expect(await post({})).toBe(401);
    expect(await post({ authorization })).toBe(200);
    expect(await post({ authorization, origin: gateway.url })).toBe(200);
  });
});
