// Runs the official conformance suite, both frozen requirement sets, against the product's own HTTP listener.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerNotifier } from '@modelcontextprotocol/server';
import { createMcpHttpMount } from '../../src-main/mcp/http-mount.ts';
import type { HttpMount } from '../../src-main/core/http-mount.ts';
import { createCoreDouble } from '../support/mcp-core-double.ts';
import { startGatewayOn } from '../support/gateway-on.ts';
import { fixtureExtension } from './fixtures/extension.ts';
import { startRelay } from './relay.ts';
import type { Relay } from './relay.ts';
import { fetchSuite, runSuite } from './suite.ts';

/** Milliseconds for one requirement set, and for fetching the suite. */
const SET_MS = 300_000;
const TOKEN = 'conformance-token-0123456789-0123456789-abc';

describe('the conformance suite', () => {
  let relay: Relay;
  let mount: HttpMount;
  let gateway: { readonly url: string; close(): Promise<void> };

  beforeAll(async () => {
    let notifier: ServerNotifier | undefined;
    const { core } = createCoreDouble();
    mount = createMcpHttpMount({
      core,
      links: { sessionUrl: (name) => `http://127.0.0.1/session/${name}` },
      log: core.options.log,
      token: () => TOKEN,
      extension: fixtureExtension(() => notifier),
      onNotifier: (given) => {
        notifier = given;
      },
    });
    gateway = await startGatewayOn(core, [mount]);
    relay = await startRelay(new URL(`${gateway.url}/mcp`), TOKEN);
    await fetchSuite();
  }, SET_MS);

  afterAll(async () => {
    await relay.close();
    await mount.close();
    await gateway.close();
  });

  it.each([
    { requirements: '2025-11-25', checks: 70 },
    { requirements: '2026-07-28', checks: 120 },
  ])('passes all $checks checks of $requirements', { timeout: SET_MS }, async ({ requirements, checks }) => {
    const { passed, failed } = await runSuite(relay.url, requirements);
    expect(failed).toEqual([]);
    expect(passed).toBe(checks);
  });
});
