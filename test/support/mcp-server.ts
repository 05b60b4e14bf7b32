// The product's MCP listeners, TCP and HTTP, in the test's own process over any core.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Core } from '../../src-main/core/core.ts';
import { createMcpHttpMount } from '../../src-main/mcp/http-mount.ts';
import type { HttpMountOptions } from '../../src-main/mcp/http-mount.ts';
import { startTcpListener } from '../../src-main/mcp/tcp-listener.ts';

/** What a test may change. */
export type McpServerChanges = Partial<
  Pick<HttpMountOptions, 'policy' | 'progressMs' | 'limits' | 'extension' | 'onNotifier'>
> & {
  readonly openingMs?: number;
};

/** The listeners that run. */
export interface McpTestServer {
  readonly token: string;
  readonly tcp: { readonly tcp: number };
  readonly http: { readonly url: string };
  /** Makes another token count. */
  renewToken(token: string): void;
  close(): Promise<void>;
}

/** A token as the product makes them: 256 bits. */
const TOKEN = 'test-token-aZ09_-aZ09_-aZ09_-aZ09_-aZ09_-x1';

/** Starts both on free ports. */
export async function startMcp(core: Core, changes: McpServerChanges = {}): Promise<McpTestServer> {
  let token = TOKEN;
  const links = { sessionUrl: (name: string) => `http://127.0.0.1:8080/session/${name}#v=ticket` };
  const parts = { core, links, log: core.options.log, token: () => token, ...changes };
  const tcp = await startTcpListener({ ...parts, port: 0 });
  const mount = createMcpHttpMount(parts);
  const server = http.createServer((request, response) => {
    mount.handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    token,
    tcp: { tcp: tcp.port },
    http: { url: `http://127.0.0.1:${port}/mcp` },
    renewToken: (renewed) => {
      token = renewed;
    },
    close: async () => {
      await Promise.all([tcp.close(), mount.close()]);
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
