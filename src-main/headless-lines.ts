// The lines that a headless start prints for the person who started it.
import { PATCHBAY_VERSION } from '../src-shared/mcp-identity.ts';
import type { RunFile } from './core/config/run-file.ts';
import type { Running } from './running.ts';

/** Where everything is, the ways in and a client entry. The tokens are meant for this person's eyes. */
export function runningLines(running: Running, entry: string): readonly string[] {
  const { endpoints } = running.gateway;
  const tokens = running.tokens();
  return [
    `Patchbay ${PATCHBAY_VERSION} runs headless (process ${process.pid}). Stop it with Ctrl+C.`,
    '',
    `Monitor page     ${endpoints.monitorUrl}/`,
    `  to watch       ${tokens.viewer}`,
    `  to type, too   ${tokens.operator}`,
    `MCP over HTTP    ${endpoints.mcpHttpUrl}`,
    `  header         Authorization: Bearer ${tokens.mcp}`,
    `MCP over TCP     127.0.0.1:${endpoints.mcpTcpPort} (first line: AUTH and the same token)`,
    `Data folder      ${running.dataDir}`,
    '',
    'Entry for the settings of an MCP client:',
    entry,
  ];
}

/** Where the Patchbay is that has this data folder already. */
export function foundLines(other: RunFile): readonly string[] {
  const what = other.mode === 'app' ? 'as the desktop app' : 'headless';
  return [
    `Patchbay ${other.version} runs already ${what} (process ${other.pid}); nothing was started.`,
    '',
    `Monitor page     ${other.monitorUrl}/`,
    `  to watch       ${other.tokens.viewer}`,
    `  to type, too   ${other.tokens.operator}`,
    `MCP over HTTP    ${other.mcpUrl}`,
    `MCP over TCP     127.0.0.1:${other.mcpPort}`,
  ];
}
