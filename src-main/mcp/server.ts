// Makes the MCP server of one connection or one stateless request: the same tools for every client, in both eras.
import { CLIENT_INFO_META_KEY, McpServer, fromJsonSchema } from '@modelcontextprotocol/server';
import type {
  CallToolResult,
  JsonSchemaType,
  JsonSchemaValidator,
  jsonSchemaValidator,
  McpServerOptions,
  ServerContext,
  Transport,
} from '@modelcontextprotocol/server';
import { SERVER_CAPABILITIES, SERVER_INFO, SERVER_INSTRUCTIONS } from '../../src-shared/mcp-identity.ts';
import { TOOLS, listTool } from '../../src-shared/tools/index.ts';
import type { ListedTool, ToolName } from '../../src-shared/tools/index.ts';
import type { Log } from '../core/core.ts';
import type { ClientPresence } from './client-presence.ts';
import { logMessages } from './message-log.ts';
import { runTool } from './run-tool.ts';
import type { ToolServices } from './run-tool.ts';
import { NO_PROGRESS, createProgress } from './waiting.ts';
import type { Progress } from './waiting.ts';

/** More than the product has, for tests that need it (the conformance suite calls tools by fixed names). */
export interface ServerExtension {
  readonly options: Partial<McpServerOptions>;
  install(server: McpServer): void;
}

/** What servers are made from. */
export interface ServerParts extends ToolServices {
  readonly log: Log;
  readonly extension?: ServerExtension;
  /** Milliseconds between progress messages; tests shorten it. */
  readonly progressMs?: number;
}

/** The listed form never changes while the program runs. */
const LISTED: ReadonlyMap<ToolName, ListedTool> = new Map(
  Object.values(TOOLS).map((tool) => [tool.name as ToolName, listTool(tool)]),
);

/** Lets everything pass: our own parser is more tolerant and speaks more plainly than the SDK's check. */
const UNCHECKED: jsonSchemaValidator = {
  getValidator<Value>(): JsonSchemaValidator<Value> {
    // The SDK wants a value of the schema's type; `run-tool.ts` takes it as unknown again and parses it.
    return (input) => ({ valid: true, data: input as Value, errorMessage: undefined });
  },
};

/** A server that tells the log about each of its messages. */
class LoggedServer extends McpServer {
  constructor(
    private readonly parts: ServerParts,
    private readonly presence: ClientPresence,
  ) {
    super(SERVER_INFO, {
      instructions: SERVER_INSTRUCTIONS,
      ...parts.extension?.options,
      capabilities: { ...SERVER_CAPABILITIES, ...parts.extension?.options.capabilities },
      jsonSchemaValidator: UNCHECKED,
    });
  }

  override connect(transport: Transport): Promise<void> {
    logMessages(transport, this.presence, this.parts.log);
    return super.connect(transport);
  }
}

/** A server for one client. */
export function createServer(parts: ServerParts, presence: ClientPresence): McpServer {
  const server = new LoggedServer(parts, presence);
  for (const [name, listed] of LISTED) registerTool(server, { name, listed, parts, presence });
  parts.extension?.install(server);
  return server;
}

interface Registration {
  readonly name: ToolName;
  readonly listed: ListedTool;
  readonly parts: ServerParts;
  readonly presence: ClientPresence;
}

function registerTool(server: McpServer, { name, listed, parts, presence }: Registration): void {
  const { title, description, annotations, _meta, inputSchema, outputSchema } = listed;
  const config = {
    title,
    description,
    annotations,
    inputSchema: fromJsonSchema(asSchema(inputSchema), UNCHECKED),
    outputSchema: fromJsonSchema(asSchema(outputSchema), UNCHECKED),
    ...(_meta === undefined ? {} : { _meta }),
  };
  server.registerTool(name, config, (args: unknown, context: ServerContext): Promise<CallToolResult> => {
    presence.introduce(clientInfoOf(context) ?? server.server.getClientVersion());
    const progress = progressOf(context, parts.progressMs);
    return runTool(parts, { name, arguments: args, actor: presence.actor, signal: context.mcpReq.signal, progress });
  });
}

/** What a stateless client says about itself with each request. */
function clientInfoOf({ mcpReq }: ServerContext): unknown {
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
  return envelope[CLIENT_INFO_META_KEY];
}

/** The schema was made by zod: the SDK's type for it is narrower than what zod promises. */
const asSchema = (schema: ListedTool['inputSchema']): JsonSchemaType => schema as JsonSchemaType;

function progressOf({ mcpReq }: ServerContext, everyMs: number | undefined): Progress {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return NO_PROGRESS;
  const send = (progress: number, message: string): Promise<void> =>
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, message } });
  return createProgress(send, everyMs);
}
