// Pieces that several tool schemas share.
import * as z from 'zod';
import { SESSION_NAME_MAX } from '../model/ids.ts';

/** `sessionName` of every tool that works on a session. */
export const sessionName = z
  .string()
  .regex(
    new RegExp(`^[\\w-]{1,${SESSION_NAME_MAX}}$`),
    `may hold only A-Z a-z 0-9 - _, at most ${SESSION_NAME_MAX} of them`,
  )
  .describe('Name given to ssh_connect')
  .meta({ trim: true });

/** `commandId` of every tool that works on one run. */
export const commandId = z.string().min(1).max(64).describe('From ssh_exec').meta({ trim: true });

/** `waitSeconds`: how long the call itself may take. */
export const waitSeconds = (defaultSeconds: number, maxSeconds: number) =>
  z.number().min(0).max(maxSeconds).optional().describe(`Seconds this call waits (default ${defaultSeconds})`);

/** Times in results: ISO 8601 in UTC, which a reader sees from the text itself. */
export const isoTime = z.string();

/** `notices` of every result: what the assistant should know, such as a note of the person or an ignored argument. */
export const notices = z
  .array(z.string())
  .describe('What to know: reconnected, a note of the person, ignored arguments');
