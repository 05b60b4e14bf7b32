// One run of a command in the agent lane, as every part sees it.
import * as z from 'zod';
import { actorSchema } from './actor.ts';
import { commandIdSchema, epochMsSchema, sessionNameSchema } from './ids.ts';

/** Where a command is in its life; the last four are final. */
export const commandStatusSchema = z.enum(['queued', 'running', 'exited', 'cancelled', 'timed_out', 'lost']);
export type CommandStatus = z.infer<typeof commandStatusSchema>;

/** Which of the two output streams. */
export const streamNameSchema = z.enum(['stdout', 'stderr']);
export type StreamName = z.infer<typeof streamNameSchema>;

/** A command without its output. */
export const commandViewSchema = z.object({
  commandId: commandIdSchema,
  sessionName: sessionNameSchema,
  actor: actorSchema,
  /** The exact text that was asked for. */
  command: z.string(),
  status: commandStatusSchema,
  /** The command's own exit code, 128+n after a signal, null while it runs or when it is not known. */
  exitCode: z.number().int().nullable(),
  /** Name of the signal that ended it, such as `TERM`. */
  signal: z.string().nullable(),
  /** Directory at the start (queued: null). */
  workingDir: z.string().nullable(),
  queuedAt: epochMsSchema,
  startedAt: epochMsSchema.nullable(),
  endedAt: epochMsSchema.nullable(),
  stdoutBytes: z.number().int().nonnegative(),
  stderrBytes: z.number().int().nonnegative(),
  /** The shell ended with this command and another one was started. */
  shellRestarted: z.boolean(),
  /** 1 = next; null when not queued. */
  queuePosition: z.number().int().positive().nullable(),
});
export type CommandView = z.infer<typeof commandViewSchema>;

/** True when nothing will change any more. */
export function isFinal(status: CommandStatus): boolean {
  return status !== 'queued' && status !== 'running';
}
