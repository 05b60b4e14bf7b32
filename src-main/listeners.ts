// Opens every way in, MCP over TCP, MCP over HTTP and the monitor page, and writes where they are into the run file.
import path from 'node:path';
import { appError } from '../src-shared/errors.ts';
import { BRIDGE_AGREEMENT, PATCHBAY_VERSION } from '../src-shared/mcp-identity.ts';
import type { ProgramFacts } from './core/config/client-entry.ts';
import type { LoadedSettings } from './core/config/load.ts';
import { removeRunFile, writeRunFile } from './core/config/run-file.ts';
import type { Tokens } from './core/config/tokens.ts';
import { errorCode } from './core/config/system-error.ts';
import type { Core, Log } from './core/core.ts';
import { startGateway } from './gateway/http-server.ts';
import type { Gateway, OwnerServices } from './gateway/port.ts';
import { createMcpHttpMount } from './mcp/http-mount.ts';
import { startTcpListener } from './mcp/tcp-listener.ts';
import { createOwnerServices } from './owner-services.ts';
import { keepRunFile } from './run-file-keeper.ts';

/** What the listeners stand on. */
export interface ListenParts {
  readonly facts: ProgramFacts;
  readonly mode: 'app' | 'headless';
  readonly startedBy: 'person' | 'bridge';
  readonly loaded: LoadedSettings;
  readonly tokens: Tokens;
  readonly core: Core;
  readonly log: Log;
}

/** Listens; adds to `closing` what closes each part. Rejects with INVALID_PARAMS where a port is not to be had. */
export async function listen(
  parts: ListenParts,
  closing: (() => Promise<void>)[],
): Promise<{ readonly gateway: Gateway; readonly owner: OwnerServices }> {
  const { core, log, tokens, loaded } = parts;
  const startedAt = Date.now();
  const served: { gateway?: Gateway } = {};
  const links = { sessionUrl: (name: string) => served.gateway?.links.sessionUrl(name) ?? '' };
  const shared = { core, log, links, token: () => tokens.current.mcp };
  const tcp = await startTcp(shared, loaded.settings.MCP_PORT);
  closing.push(() => tcp.close());
  const owner = createOwnerServices({
    loaded,
    facts: parts.facts,
    tokens,
    tokensRenewed: () => announce(),
    settingChanged: (name) => noteChange(parts, name),
  });
  const mount = createMcpHttpMount(shared);
  closing.push(() => mount.close());
  const opened = await startGateway({
    core,
    log,
    owner,
    settings: loaded.settings,
    portIsExplicit: loaded.sources.WEB_PORT !== 'default',
    mcpTcpPort: tcp.port,
    tokens: () => tokens.current,
    mounts: [mount],
    assetsDir: path.join(parts.facts.outDir, 'renderer'),
  });
  served.gateway = opened;
  closing.push(() => opened.close());
  const announce = (): Promise<void> => announceIn(parts, opened, { startedAt, mcpPort: tcp.port });
  await announce();
  closing.push(() => removeRunFile(loaded.dataDir, process.pid));
  // Closed before the file is removed, so that it does not come back.
  closing.push(keepRunFile({ dataDir: loaded.dataDir, log, announce }));
  return { gateway: opened, owner };
}

type TcpOptions = Parameters<typeof startTcpListener>[0];

async function startTcp(shared: Omit<TcpOptions, 'port'>, port: number): ReturnType<typeof startTcpListener> {
  try {
    return await startTcpListener({ ...shared, port });
  } catch (error) {
    const code = errorCode(error);
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    const why = code === 'EACCES' ? 'this account may not use it' : 'another program is using it';
    throw appError('INVALID_PARAMS', {
      message: `MCP_PORT ${port}: ${why}`,
      hint: 'Choose another MCP_PORT, or 0 for any free one.',
      cause: error,
    });
  }
}

async function announceIn(
  { tokens, mode, startedBy, loaded }: ListenParts,
  gateway: Gateway,
  { startedAt, mcpPort }: { readonly startedAt: number; readonly mcpPort: number },
): Promise<void> {
  await writeRunFile(loaded.dataDir, {
    agreement: BRIDGE_AGREEMENT,
    pid: process.pid,
    startedAt,
    version: PATCHBAY_VERSION,
    mode,
    startedBy,
    mcpPort,
    mcpUrl: gateway.endpoints.mcpHttpUrl,
    monitorUrl: gateway.endpoints.monitorUrl,
    tokens: tokens.current,
  });
}

function noteChange({ core, log }: ListenParts, name: string): void {
  log.info('a setting was changed', { name });
  void core.journal.append({ type: 'settings.changed', at: Date.now(), actor: { kind: 'system' }, keys: [name] });
}
