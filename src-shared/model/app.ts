// The app as a whole: who is connected, where it listens, whether it is paused.
import * as z from 'zod';
import { epochMsSchema } from './ids.ts';

/** An MCP client that is connected now, or was in the last minutes (HTTP has no connection to see). */
export const connectedClientSchema = z.object({
  id: z.string(),
  name: z.string(),
  version: z.string(),
  transport: z.enum(['stdio', 'tcp', 'http', 'sse']),
  since: epochMsSchema,
  lastSeen: epochMsSchema,
});
export type ConnectedClient = z.infer<typeof connectedClientSchema>;

/** `off`: assistants may type. `input`: nothing new is accepted. `all`: what ran was cancelled, too. */
export const pauseStateSchema = z.enum(['off', 'input', 'all']);
export type PauseState = z.infer<typeof pauseStateSchema>;

/** Addresses under which the running app answers. */
export const endpointsSchema = z.object({
  /** `http://127.0.0.1:8080` */
  monitorUrl: z.string(),
  mcpHttpUrl: z.string(),
  mcpTcpPort: z.number().int(),
});
export type Endpoints = z.infer<typeof endpointsSchema>;
