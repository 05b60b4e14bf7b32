// Starts the real gateway on the real core, in a data folder of the test's own, and gives what a test needs of both.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Core, Log } from '../../src-main/core/core.ts';
import type { HttpMount } from '../../src-main/core/http-mount.ts';
import type { Session } from '../../src-main/core/sessions/port.ts';
import { startGateway } from '../../src-main/gateway/http-server.ts';
import type { Gateway, OwnerServices } from '../../src-main/gateway/port.ts';
import type { JournalEvent } from '../../src-shared/model/index.ts';
import type { Settings } from '../../src-shared/settings/index.ts';
import { startCore } from './core.ts';
import { freePort } from './net.ts';
import type { TestSshd } from './sshd.ts';
import { ViewClient, enterByLink, loginWith } from './view-client.ts';

/** One log line. */
export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** What may differ from the usual. */
export interface TestGatewayOptions {
  readonly settings?: Partial<Settings>;
  readonly portIsExplicit?: boolean;
  readonly mounts?: readonly HttpMount[];
  readonly pingMs?: number;
  readonly mode?: 'app' | 'headless';
}

/** The running gateway and its core. */
export interface TestGateway {
  readonly core: Core;
  readonly gateway: Gateway;
  readonly url: string;
  readonly log: readonly LogLine[];
  readonly tokens: { viewer: string; operator: string; mcp: string };
  /** The journal so far, oldest first. */
  journal(): Promise<readonly JournalEvent[]>;
  /** Opens a session as the test's assistant, by the key of the server's first account. */
  connect(name: string, server: TestSshd): Promise<Session>;
  /** Opens a view with the token of this role. */
  view(role: 'viewer' | 'operator'): Promise<ViewClient>;
  /** Opens a view with the link of this session. */
  viewOf(session: string): Promise<ViewClient>;
  close(): Promise<void>;
}

const PAGE = '<!doctype html><title>Patchbay</title><script type="module" src="./assets/monitor-0a1b.js"></script>';

/** Starts core and gateway on a free port. */
export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const settings = { WEB_PORT: await freePort(), ...options.settings };
  const own = await startCore({ settings, ...(options.mode === undefined ? {} : { mode: options.mode }) });
  const { core, dataDir } = own;
  const assetsDir = await writePage(dataDir);
  const log: LogLine[] = [];
  const tokens = {
    viewer: 'viewer-token-of-the-test',
    operator: 'operator-token-of-the-test',
    mcp: 'mcp-token-of-the-test',
  };
  const gateway = await startGateway({
    ...{ core, assetsDir, settings: core.options.settings, mcpTcpPort: 1, tokens: () => tokens },
    portIsExplicit: options.portIsExplicit ?? true,
    mounts: options.mounts ?? [],
    log: collect(log),
    owner: ownerOf(tokens),
    ...(options.pingMs === undefined ? {} : { pingMs: options.pingMs }),
  }).catch(async (error: unknown) => {
    await own.close();
    throw error;
  });
  const url = gateway.endpoints.monitorUrl;
  return {
    ...{ core, gateway, url, log, tokens },
    journal: () => own.journal(),
    connect: (name, server) => own.connect(name, server),
    view: async (role) => ViewClient.open({ monitorUrl: url, cookie: await loginWith(url, tokens[role]) }),
    viewOf: async (session) =>
      ViewClient.open({ monitorUrl: url, session, cookie: await enterByLink(gateway.links.sessionUrl(session)) }),
    close: async () => {
      await gateway.close();
      await own.close();
    },
  };
}

async function writePage(dataDir: string): Promise<string> {
  const assetsDir = path.join(dataDir, 'renderer');
  await mkdir(path.join(assetsDir, 'assets'), { recursive: true });
  await writeFile(path.join(assetsDir, 'monitor.html'), PAGE);
  await writeFile(path.join(assetsDir, 'assets', 'monitor-0a1b.js'), 'export {};');
  await writeFile(path.join(dataDir, 'secret.txt'), 'not for the web');
  return assetsDir;
}

function collect(lines: LogLine[]): Log {
  const at =
    (level: LogLine['level']) =>
    (message: string, details: Readonly<Record<string, unknown>> = {}): void => {
      lines.push({ level, message, details });
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Owner services in memory; the real ones are tested where they are made. */
function ownerOf(tokens: TestGateway['tokens']): OwnerServices {
  return {
    settings: () => ({ settings: [{ name: 'WEB_PORT', value: 1, source: 'default' }], file: '/settings.json' }),
    setSetting: () => Promise.resolve({ restart: true }),
    clientEntry: () => Promise.resolve({ claudeDesktop: '{}', claudeCode: '{}' }),
    tokens: () => ({ ...tokens }),
    renewTokens: () => {
      Object.assign(tokens, { viewer: 'renewed-viewer-token', operator: 'renewed-operator-token' });
      return Promise.resolve();
    },
  };
}
