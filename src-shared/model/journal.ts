// One line of the journal: what happened, by whom, when. JSON Lines, append-only.
import * as z from 'zod';
import { actorSchema } from './actor.ts';
import { epochMsSchema } from './ids.ts';

const base = { at: epochMsSchema, actor: actorSchema };
const session = { session: z.string() };

/** Every kind of event that is kept. Secrets never reach it: fields that hold them are not part of any kind. */
export const journalEventSchema = z.discriminatedUnion('type', [
  z.object({ ...base, type: z.literal('app.started'), version: z.string(), mode: z.enum(['app', 'headless']) }),
  z.object({ ...base, type: z.literal('app.stopped'), reason: z.string() }),
  z.object({
    ...base,
    type: z.literal('tool.started'),
    callId: z.string(),
    tool: z.string(),
    session: z.string().nullable(),
    arguments: z.unknown(),
  }),
  z.object({
    ...base,
    type: z.literal('tool.ended'),
    callId: z.string(),
    tool: z.string(),
    session: z.string().nullable(),
    outcome: z.string(),
    durationMs: z.number(),
  }),
  z.object({
    ...base,
    ...session,
    type: z.literal('session.opened'),
    host: z.string(),
    port: z.number(),
    username: z.string(),
    fingerprint: z.string(),
  }),
  z.object({ ...base, ...session, type: z.literal('session.lost'), reason: z.string() }),
  z.object({ ...base, ...session, type: z.literal('session.reconnected'), attempts: z.number() }),
  z.object({ ...base, ...session, type: z.literal('session.closed'), reason: z.string() }),
  z.object({
    ...base,
    ...session,
    type: z.literal('command.started'),
    commandId: z.string(),
    command: z.string(),
    workingDir: z.string().nullable(),
  }),
  z.object({
    ...base,
    ...session,
    type: z.literal('command.ended'),
    commandId: z.string(),
    status: z.string(),
    exitCode: z.number().nullable(),
    signal: z.string().nullable(),
    stdoutBytes: z.number(),
    stderrBytes: z.number(),
    durationMs: z.number(),
  }),
  z.object({ ...base, ...session, type: z.literal('terminal.input'), bytes: z.number(), text: z.string() }),
  z.object({ ...base, ...session, type: z.literal('lease.taken') }),
  z.object({ ...base, ...session, type: z.literal('lease.returned'), note: z.string() }),
  z.object({ ...base, type: z.literal('pause.changed'), state: z.string() }),
  z.object({
    ...base,
    type: z.literal('hostkey.answered'),
    host: z.string(),
    port: z.number(),
    fingerprint: z.string(),
    answer: z.enum(['trusted', 'refused', 'accepted-new']),
  }),
  z.object({ ...base, type: z.literal('client.connected'), transport: z.string() }),
  z.object({ ...base, type: z.literal('client.gone'), transport: z.string() }),
  z.object({ ...base, type: z.literal('settings.changed'), keys: z.array(z.string()) }),
]);
export type JournalEvent = z.infer<typeof journalEventSchema>;
