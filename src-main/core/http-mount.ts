// The contract by which a part (MCP over HTTP) is served by the one HTTP server of the app.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A handler for every path at or below `prefix`. Host and Origin were checked before; tokens are its own business. */
export interface HttpMount {
  readonly prefix: string;
  /** Whether the request brings what it needs to be let in; its connection then counts as known. */
  admits(request: IncomingMessage): boolean;
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
}
