// A session as every part sees it: where it goes, how it is, who drives it.
import * as z from 'zod';
import { clientActorSchema } from './actor.ts';
import { commandViewSchema } from './command.ts';
import { epochMsSchema, sessionNameSchema } from './ids.ts';

/** Life of the connection. `needs_connect`: known from before a restart, not connected. */
export const sessionStatusSchema = z.enum([
  'connecting',
  'connected',
  'reconnecting',
  'lost',
  'needs_connect',
  'closed',
]);
export type SessionStatus = z.infer<typeof sessionStatusSchema>;

/** `posix`: a shell that ssh_exec can drive. `device`: anything else, for ssh_terminal. `console`: a lab console. */
export const sessionKindSchema = z.enum(['posix', 'device', 'console']);
export type SessionKind = z.infer<typeof sessionKindSchema>;

/** Who may type. `idle`: nobody has typed for a while, an assistant may at any time. */
export const leaseSchema = z.object({
  holder: z.enum(['idle', 'agent', 'person', 'paused']),
  /** The client that drives, when `holder` is `agent`. */
  client: clientActorSchema.nullable(),
  since: epochMsSchema,
});
export type LeaseState = z.infer<typeof leaseSchema>;

/** The lease in one word for assistants. */
export const leaseWordSchema = z.enum(['idle', 'agent', 'person', 'paused']);

/** Everything about a session that views show and tools report. No secret is in it. */
export const sessionViewSchema = z.object({
  name: sessionNameSchema,
  host: z.string(),
  port: z.number().int(),
  username: z.string(),
  kind: sessionKindSchema,
  status: sessionStatusSchema,
  /** Why it is lost or reconnecting, in a sentence; null when all is well. */
  statusReason: z.string().nullable(),
  /** When the next attempt to reconnect starts; null when none is planned. */
  retryAt: epochMsSchema.nullable(),
  connectionTime: epochMsSchema,
  lastActivity: epochMsSchema,
  /** Software version of the server's first line, such as `OpenSSH_9.2p1`. */
  serverVersion: z.string(),
  /** `SHA256:...` of the host key. */
  fingerprint: z.string(),
  /** Type of the host key, such as `ssh-ed25519`. */
  hostKeyType: z.string(),
  /** What the server said before or at login. */
  banner: z.string(),
  workingDir: z.string().nullable(),
  /** Which shell the agent lane runs, such as `bash`; null where there is none. */
  shell: z.string().nullable(),
  lease: leaseSchema,
  busy: z.boolean(),
  running: commandViewSchema.nullable(),
  queued: z.number().int().nonnegative(),
  lastExitCode: z.number().int().nullable(),
  /** Round-trip time of the last keep-alive, in milliseconds; null before the first. */
  rttMs: z.number().nonnegative().nullable(),
  reconnects: z.number().int().nonnegative(),
  bytesIn: z.number().int().nonnegative(),
  bytesOut: z.number().int().nonnegative(),
  terminalOpen: z.boolean(),
});
export type SessionView = z.infer<typeof sessionViewSchema>;
