// Tells where the console of a node is and whether it answers.
import WebSocket from 'ws';
import type { Clock } from '../clock.ts';
import type { Gns3Api } from './api.ts';
import { nodePath } from './nodes.ts';
import type { Nodes } from './nodes.ts';
import type { NodeRecord } from './records.ts';

/** The greeting of the telnet side is the only sign that a console lives; it comes at once or not at all. Milliseconds. */
const GREETING_MS = 3_000;
/** The byte with which a telnet greeting begins. */
const TELNET = 0xff;

/** Where a console is. */
export interface ConsoleInfo {
  readonly node_id: string;
  readonly node_name: string;
  readonly status: string;
  readonly console_type: string;
  /** A host at which it can be reached from here; null where there is no console. */
  readonly console_host: string | null;
  readonly console: number | null;
  /** Path and address of the console's WebSocket, for text consoles. It takes a token, which is not told. */
  readonly ws_path: string | null;
  readonly ws_url: string | null;
  /** Null: not a text console, so it cannot be told from here. */
  readonly live: boolean | null;
}

/** What it needs. */
export interface ConsoleParts {
  readonly api: Gns3Api;
  readonly nodes: Nodes;
  readonly clock: Clock;
}

/** Looks at the console of a node, and knocks at it when the node runs. */
export async function consoleInfo(parts: ConsoleParts, project: string, wanted: string): Promise<ConsoleInfo> {
  const { projectId, node } = await parts.nodes.find(project, wanted);
  const { console_type: type, status = 'unknown' } = node;
  const isText = type === 'telnet' || type === 'ssh';
  const path = isText ? `/v3${nodePath(projectId, node.node_id)}/console/ws` : null;
  return {
    node_id: node.node_id,
    node_name: node.name,
    status,
    console_type: type ?? 'none',
    console_host: node.console == null ? null : reachableHost(node, parts.api.address.base),
    console: node.console ?? null,
    ws_path: path,
    ws_url: path === null ? null : webSocketUrl(parts.api.address.base, path),
    live: path === null ? null : status === 'started' && (await answers(parts, path)),
  };
}

/** Every address and no address mean the server itself. */
function reachableHost({ console_host: host }: NodeRecord, base: string): string {
  return host == null || host === '' || host === '0.0.0.0' || host === '::' ? new URL(base).hostname : host;
}

const webSocketUrl = (base: string, path: string): string => `${base.replace(/^http/i, 'ws')}${path}`;

async function answers({ api, clock }: ConsoleParts, path: string): Promise<boolean> {
  const query = new URLSearchParams({ token: await api.token() });
  const { base, ca } = api.address;
  const socket = new WebSocket(`${webSocketUrl(base, path)}?${query}`, ca === undefined ? {} : { ca });
  try {
    return await new Promise((resolve) => {
      const cancel = clock.after(GREETING_MS, () => resolve(false));
      const settle = (live: boolean): void => {
        cancel();
        resolve(live);
      };
      // Words of the server itself come as text.
      socket.on('message', (message, isBinary) => settle(isBinary && firstByte(message) === TELNET));
      socket.on('error', () => settle(false));
      socket.on('close', () => settle(false));
    });
  } finally {
    socket.terminate();
  }
}

const firstByte = (message: WebSocket.RawData): number | undefined =>
  message instanceof ArrayBuffer ? new Uint8Array(message)[0] : Buffer.isBuffer(message) ? message[0] : message[0]?.[0];
