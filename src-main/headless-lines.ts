// The lines that a start without a window prints for the person who made it.
import { PATCHBAY_VERSION } from '../src-shared/mcp-identity.ts';
import type { RunFile } from './core/config/run-file.ts';
import type { Running } from './running.ts';

/** Where everything is and the ways in; a client entry comes last. The tokens are meant for this person's eyes. */
export function runningLines(running: Running, entry: string, why?: string): readonly string[] {
  const { endpoints } = running.gateway;
  const tokens = running.tokens();
  return [
    `Patchbay ${PATCHBAY_VERSION} runs without a window${why ? ` (${why})` : ''}. Ctrl+C ends it.`,
    '',
    'Watch in a browser, on this computer:',
    ...pageLines(endpoints.monitorUrl, tokens),
    '',
    'Other programs reach it here:',
    `  MCP over HTTP          ${endpoints.mcpHttpUrl}`,
    `    with the header      Authorization: Bearer ${tokens.mcp}`,
    `  MCP over TCP           127.0.0.1:${endpoints.mcpTcpPort}, first line: AUTH and the same token`,
    '',
    `Its files are in ${running.dataDir}`,
    '',
    'To let an assistant use it, put this into the settings of its program:',
    entry,
  ];
}

/** Where the Patchbay is that has this data folder already, and how to end it. */
export function foundLines(other: RunFile): readonly string[] {
  const what = other.mode === 'app' ? 'as the desktop app' : 'without a window';
  return [
    `Patchbay ${other.version} runs already ${what} (process ${other.pid}); nothing was started.`,
    '',
    'Watch in a browser, on this computer:',
    ...pageLines(other.monitorUrl, other.tokens),
    '',
    'To end it and start a new one here:  npm start -- --take-over',
    'To end it:                           npm start -- --stop',
  ];
}

function pageLines(url: string, tokens: RunFile['tokens']): readonly string[] {
  return [
    `  address                ${url}/`,
    `  token to watch         ${tokens.viewer}`,
    `  token to type as well  ${tokens.operator}`,
  ];
}
