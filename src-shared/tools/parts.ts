// Pieces that several tool schemas share.
import * as z from 'zod';
import { SESSION_NAME_MAX } from '../model/ids.ts';

/** `sessionName` of every tool that works on a session. */
export const sessionName = z
  .string()
  .min(1)
  .max(SESSION_NAME_MAX)
  .regex(/^[A-Za-z0-9_-]+$/, 'may hold only A-Z a-z 0-9 - _')
  .describe('Name of the session, as given to ssh_connect');

/** `commandId` of every tool that works on one run. */
export const commandId = z.string().min(1).max(64).describe('Command id from ssh_exec');

/** `waitSeconds`: how long the call itself may take. */
export const waitSeconds = (defaultSeconds: number, maxSeconds: number) =>
  z
    .number()
    .min(0)
    .max(maxSeconds)
    .optional()
    .describe(`Seconds this call may wait (default ${defaultSeconds}); the command itself is not affected`);

/** Times in results: ISO 8601 in UTC. */
export const isoTime = z.string().describe('ISO 8601, UTC');
