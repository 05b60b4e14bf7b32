// Real MCP clients of the running app: the 1.x and the 2.x client, over the stdio bridge, TCP and HTTP.
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { Client as ClientTwo, StreamableHTTPClientTransport as HttpTwo } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioTwo } from '@modelcontextprotocol/client/stdio';
import { Client as ClientOne } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioOne } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpOne } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { RunFile } from '../../src-main/core/config/run-file.ts';
import { OUT } from './programs.ts';
import type { Desk, Variables } from './programs.ts';

export { createDesk, startApp, startProgram } from './programs.ts';
export type { App, Desk } from './programs.ts';

/** A tool's result as every client gives it. */
export interface ToolAnswer {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** What tests need of either client. */
export interface TestClient {
  readonly name: string;
  /** Process id of the bridge, where one is between. */
  readonly pid: number | null;
  listTools(): Promise<readonly { readonly name: string }[]>;
  callTool(name: string, args?: Readonly<Record<string, unknown>>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

const CALL_MS = 90_000;

/** The command that an entry for the bridge runs. */
export function bridgeCommand(environment: Variables): {
  command: string;
  args: string[];
  env: Record<string, string>;
} {
  return { command: process.execPath, args: [path.join(OUT, 'bridge.js')], env: { ...environment } };
}

/** The 1.x client through the bridge. */
export async function bridgeClientOne(desk: Pick<Desk, 'environment'>, name = 'client-one'): Promise<TestClient> {
  const transport = new StdioOne({ ...bridgeCommand(desk.environment), stderr: 'ignore' });
  const client = await connectOne(transport, name);
  return { ...client, pid: transport.pid };
}

/** The 2.x client through the bridge, in the era that both sides speak newest. */
export async function bridgeClientTwo(desk: Pick<Desk, 'environment'>, name = 'client-two'): Promise<TestClient> {
  const transport = new StdioTwo({ ...bridgeCommand(desk.environment), stderr: 'ignore' });
  const client = await connectTwo(transport, name);
  return { ...client, pid: transport.pid };
}

/** The 1.x client on the app's TCP port. */
export function tcpClient(run: RunFile, name = 'client-tcp'): Promise<TestClient> {
  return connectOne(new TcpTransport(run.mcpPort, run.tokens.mcp), name);
}

/** The 1.x client over Streamable HTTP. */
export function httpClientOne(run: RunFile, name = 'client-http'): Promise<TestClient> {
  const transport = new HttpOne(new URL(run.mcpUrl), { requestInit: { headers: bearer(run) } });
  // Their own type says `sessionId?: string`, which exactOptionalPropertyTypes tells from what the class has.
  return connectOne(transport as unknown as Transport, name);
}

/** The 2.x client over Streamable HTTP. */
export function httpClientTwo(run: RunFile, name = 'client-http-two'): Promise<TestClient> {
  return connectTwo(new HttpTwo(new URL(run.mcpUrl), { requestInit: { headers: bearer(run) } }), name);
}

function bearer(run: RunFile): Record<string, string> {
  return { authorization: `Bearer ${run.tokens.mcp}` };
}

async function connectOne(transport: Transport, name: string): Promise<TestClient> {
  const client = new ClientOne({ name, version: '1.0.0' });
  await client.connect(transport);
  return {
    name,
    pid: null,
    listTools: async () => (await client.listTools()).tools,
    callTool: async (tool, args = {}) =>
      (await client.callTool({ name: tool, arguments: args }, undefined, { timeout: CALL_MS })) as ToolAnswer,
    close: () => client.close(),
  };
}

async function connectTwo(transport: StdioTwo | HttpTwo, name: string): Promise<TestClient> {
  const client = new ClientTwo({ name, version: '2.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(transport);
  return {
    name,
    pid: null,
    listTools: async () => (await client.listTools()).tools,
    callTool: async (tool, args = {}) =>
      (await client.callTool({ name: tool, arguments: args }, { timeout: CALL_MS })) as ToolAnswer,
    close: () => client.close(),
  };
}

/** The app's TCP port as a transport of the 1.x client, which has none of its own. */
class TcpTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  readonly #socket: net.Socket;
  readonly #token: string;
  readonly #buffer = new ReadBuffer();

  constructor(port: number, token: string) {
    this.#socket = net.connect({ host: '127.0.0.1', port });
    this.#token = token;
  }

  async start(): Promise<void> {
    await once(this.#socket, 'connect');
    this.#socket.on('data', (bytes) => {
      this.#buffer.append(bytes);
      for (let message = this.#buffer.readMessage(); message !== null; message = this.#buffer.readMessage()) {
        this.onmessage?.(message);
      }
    });
    this.#socket.on('error', (error) => this.onerror?.(error));
    this.#socket.on('close', () => this.onclose?.());
    this.#socket.write(`AUTH ${this.#token}\n`);
  }

  async send(message: Parameters<typeof serializeMessage>[0]): Promise<void> {
    this.#socket.write(serializeMessage(message));
  }

  async close(): Promise<void> {
    this.#socket.destroy();
  }
}
