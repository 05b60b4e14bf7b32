// The calls that views make: input, output and the role each one needs. Window and page use the same.
import * as z from 'zod';
import { connectedClientSchema, endpointsSchema, pauseStateSchema } from '../model/app.ts';
import { commandViewSchema, streamNameSchema } from '../model/command.ts';
import { journalEventSchema } from '../model/journal.ts';
import { cardSchema } from '../model/needs.ts';
import { sessionViewSchema } from '../model/session.ts';
import { credentialsSchema } from '../tools/session.ts';
import type { Role } from './roles.ts';

interface CallDeclaration<Input extends z.ZodType, Output extends z.ZodType> {
  readonly role: Role;
  readonly input: Input;
  readonly output: Output;
}

function call<Input extends z.ZodType, Output extends z.ZodType>(
  role: Role,
  input: Input,
  output: Output,
): CallDeclaration<Input, Output> {
  return { role, input, output };
}

const none = z.strictObject({});
const done = z.object({});
const session = z.string();

/** Everything a view needs to draw itself; events keep it current. */
export const appStateSchema = z.object({
  version: z.string(),
  mode: z.enum(['app', 'headless']),
  role: z.enum(['viewer', 'operator', 'owner']),
  /** The one session this view may see (a ticket's), or null for all. */
  onlySession: z.string().nullable(),
  sessions: z.array(sessionViewSchema),
  cards: z.array(cardSchema),
  pause: pauseStateSchema,
  clients: z.array(connectedClientSchema),
  endpoints: endpointsSchema,
});
export type AppState = z.infer<typeof appStateSchema>;

/** One setting as the Settings page shows it; secrets come without value. */
export const settingValueSchema = z.object({
  name: z.string(),
  value: z.unknown(),
  source: z.enum(['environment', 'file', 'default']),
});

/** Which stream a view opens: the transcript of the agent lane, or the terminal. */
export const laneSchema = z.enum(['commands', 'terminal']);

/** The map of calls. */
export const CALLS = {
  'state.get': call('viewer', none, appStateSchema),
  'command.list': call('viewer', z.strictObject({ session }), z.object({ commands: z.array(commandViewSchema) })),
  'command.output': call(
    'viewer',
    z.strictObject({
      session,
      commandId: z.string(),
      stream: streamNameSchema,
      offset: z.number().int().min(0),
      limit: z.number().int().min(1).max(1_000_000),
    }),
    z.object({ base64: z.string(), nextOffset: z.number().int(), totalBytes: z.number().int() }),
  ),
  'command.run': call(
    'operator',
    z.strictObject({ session, command: z.string().min(1) }),
    z.object({ commandId: z.string() }),
  ),
  'command.cancel': call('operator', z.strictObject({ session, commandId: z.string() }), done),
  'session.connect': call(
    'operator',
    z.strictObject({
      name: z.string(),
      host: z.string(),
      port: z.number().int().min(1).max(65_535).optional(),
      credentials: credentialsSchema.optional(),
    }),
    z.object({ name: z.string() }),
  ),
  'session.disconnect': call('operator', z.strictObject({ session }), done),
  'lease.take': call('operator', z.strictObject({ session }), done),
  'lease.handBack': call('operator', z.strictObject({ session, note: z.string().max(2000).optional() }), done),
  'pause.set': call('operator', z.strictObject({ state: pauseStateSchema }), done),
  'hostKey.answer': call('operator', z.strictObject({ id: z.string(), trust: z.boolean() }), done),
  'card.dismiss': call('operator', z.strictObject({ id: z.string() }), done),
  /** Opens the stream; frames follow. `mark` is the secret word of this transcript's marks (see transcript.ts). */
  'stream.open': call(
    'viewer',
    z.strictObject({ session, lane: laneSchema, fromOffset: z.number().int().min(0).optional() }),
    z.object({
      streamId: z.number().int(),
      offset: z.number().int(),
      mark: z.string(),
      cols: z.number().int(),
      rows: z.number().int(),
    }),
  ),
  /** The view has drawn everything before `offset`; the gateway sends at most 1 MiB beyond it. */
  'stream.ack': call('viewer', z.strictObject({ streamId: z.number().int(), offset: z.number().int() }), done),
  'stream.close': call('viewer', z.strictObject({ streamId: z.number().int() }), done),
  /** Opens the PTY when it is not open; only the person that holds the lease may type. */
  'terminal.open': call(
    'operator',
    z.strictObject({ session, cols: z.number().int().min(2).max(500), rows: z.number().int().min(2).max(300) }),
    done,
  ),
  'terminal.input': call('operator', z.strictObject({ session, base64: z.string().max(1_500_000) }), done),
  'terminal.resize': call(
    'operator',
    z.strictObject({ session, cols: z.number().int().min(2).max(500), rows: z.number().int().min(2).max(300) }),
    done,
  ),
  'journal.search': call(
    'operator',
    z.strictObject({
      text: z.string().max(500).optional(),
      session: z.string().optional(),
      limit: z.number().int().min(1).max(1000),
    }),
    z.object({ events: z.array(journalEventSchema) }),
  ),
  'settings.get': call('owner', none, z.object({ settings: z.array(settingValueSchema), file: z.string() })),
  /** Writes the file; `restart` tells that it takes effect at the next start. */
  'settings.set': call(
    'owner',
    z.strictObject({ name: z.string(), value: z.unknown() }),
    z.object({ restart: z.boolean() }),
  ),
  'clientEntry.get': call('owner', none, z.object({ claudeDesktop: z.string(), claudeCode: z.string() })),
  'tokens.get': call('owner', none, z.object({ viewer: z.string(), operator: z.string(), mcp: z.string() })),
  'tokens.renew': call('owner', none, done),
} as const;

export type CallName = keyof typeof CALLS;
export type CallInput<Name extends CallName> = z.infer<(typeof CALLS)[Name]['input']>;
export type CallOutput<Name extends CallName> = z.infer<(typeof CALLS)[Name]['output']>;
