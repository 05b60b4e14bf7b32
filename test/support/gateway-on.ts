// Starts the real gateway with given mounts on any core, for tests that need its door and nothing behind it.
import os from 'node:os';
import type { Core } from '../../src-main/core/core.ts';
import type { HttpMount } from '../../src-main/core/http-mount.ts';
import { startGateway } from '../../src-main/gateway/http-server.ts';
import { freePort } from './net.ts';

/** Listens on a free port of loopback. */
export async function startGatewayOn(
  core: Core,
  mounts: readonly HttpMount[],
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const refused = (): never => {
    throw new Error('this test has no owner services');
  };
  const gateway = await startGateway({
    ...{ core, mounts, log: core.options.log, portIsExplicit: true, mcpTcpPort: 1 },
    settings: { WEB_HOST: '127.0.0.1', WEB_PORT: await freePort(), WEB_ALLOWED_HOSTS: [] },
    tokens: () => ({ viewer: 'viewer-token-of-the-test', operator: 'operator-token-of-the-test' }),
    assetsDir: os.tmpdir(),
    owner: { settings: refused, setSetting: refused, clientEntry: refused, tokens: refused, renewTokens: refused },
  });
  return { url: gateway.endpoints.monitorUrl, close: () => gateway.close() };
}
