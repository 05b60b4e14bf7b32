// Real MCP clients of both SDK lines, behind one small face, for tests of the MCP server.
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client';
import type { Transport as NewTransport } from '@modelcontextprotocol/client';
import type { Transport as OldTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as z from 'zod';
import { SocketTransport } from './socket-transport.ts';
import { asRecord } from './record.ts';

/** `old`: the 1.x client. `new`: the 2.x client with the 2025 handshake. `stateless`: the 2.x client on 2026-07-28. */
export const CLIENT_KINDS = ['old', 'new', 'stateless'] as const;
export type ClientKind = (typeof CLIENT_KINDS)[number];

/** Ways in. */
export type Way = { readonly tcp: number } | { readonly url: string };

/** A result as a client sees it. */
export interface CallResult {
  readonly isError: boolean;
  readonly text: string;
  /** `structuredContent`; undefined when there is none. */
  readonly structure: Readonly<Record<string, unknown>> | undefined;
  /** `_meta["patchbay/error"]`. */
  readonly error: Readonly<Record<string, unknown>> | undefined;
}

/** One message of progress. */
export interface ProgressSeen {
  readonly progress: number;
  readonly message?: string | undefined;
}

/** How a call is made. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds after which the client itself gives up. */
  readonly timeout?: number;
  readonly onprogress?: (seen: ProgressSeen) => void;
}

/** A connected client. */
export interface TestClient {
  readonly kind: ClientKind;
  listTools(): Promise<readonly { readonly name: string }[]>;
  call(name: string, args?: unknown, options?: CallOptions): Promise<CallResult>;
  serverVersion(): Readonly<Record<string, unknown>> | undefined;
  capabilities(): unknown;
  instructions(): string | undefined;
  close(): Promise<void>;
}

/** What a test connects with. */
export interface ConnectTo {
  readonly kind: ClientKind;
  readonly way: Way;
  readonly token: string;
  /** Name that the client gives; default `test-<kind>`. */
  readonly name?: string;
  /** Words behind the token on the opening line, such as `bridge 0.1.0`. */
  readonly about?: string;
  /** false: does not list the tools, which makes the client compile a check for each. */
  readonly list?: boolean;
}

/** Connects and lists the tools, as clients do; the old client then checks every result against the list. */
export async function connectClient(to: ConnectTo): Promise<TestClient> {
  const info = { name: to.name ?? `test-${to.kind}`, version: '1.2.3' };
  const client = to.kind === 'old' ? await connectOld(to, info) : await connectNew(to, info);
  if (to.list !== false) await client.listTools();
  return client;
}

interface Info {
  readonly name: string;
  readonly version: string;
}

async function connectOld(to: ConnectTo, info: Info): Promise<TestClient> {
  const client = new OldClient(info);
  const transport = 'tcp' in to.way ? socketTo(to, to.way.tcp) : new OldHttp(new URL(to.way.url), bearer(to));
  // The SDK's own classes miss its interface by a hair under exactOptionalPropertyTypes.
  await client.connect(transport as OldTransport);
  return {
    kind: to.kind,
    listTools: async () => (await client.listTools()).tools,
    call: async (name, args, options) => {
      const params = { name, arguments: asArguments(args) };
      return readResult(await client.callTool(params, undefined, { ...options }));
    },
    serverVersion: () => client.getServerVersion(),
    capabilities: () => client.getServerCapabilities(),
    instructions: () => client.getInstructions(),
    close: () => client.close(),
  };
}

async function connectNew(to: ConnectTo, info: Info): Promise<TestClient> {
  const negotiation = to.kind === 'stateless' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {};
  const client = new NewClient(info, negotiation);
  const transport = 'tcp' in to.way ? socketTo(to, to.way.tcp) : new NewHttp(new URL(to.way.url), bearer(to));
  await client.connect(transport as NewTransport);
  return {
    kind: to.kind,
    listTools: async () => (await client.listTools()).tools,
    call: async (name, args, options) => {
      return readResult(await client.callTool({ name, arguments: asArguments(args) }, { ...options }));
    },
    serverVersion: () => client.getServerVersion(),
    capabilities: () => client.getServerCapabilities(),
    instructions: () => client.getInstructions(),
    close: () => client.close(),
  };
}

const socketTo = ({ token, about }: ConnectTo, port: number): SocketTransport =>
  new SocketTransport(port, `AUTH ${token}${about === undefined ? '' : ` ${about}`}`);

const bearer = ({ token }: ConnectTo) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } });

/** Tests send what models send, which need not be what the type says. */
const asArguments = (args: unknown): Record<string, unknown> => asRecord(args);

const resultSchema = z.object({
  isError: z.boolean().optional(),
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })).length(1),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  _meta: z.record(z.string(), z.unknown()).optional(),
});

function readResult(result: unknown): CallResult {
  const { isError, content, structuredContent, _meta } = resultSchema.parse(result);
  const error = z.record(z.string(), z.unknown()).optional().parse(_meta?.['patchbay/error']);
  return { isError: isError ?? false, text: content[0]?.text ?? '', structure: structuredContent, error };
}
