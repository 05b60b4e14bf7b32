// The names and identifiers that travel between all parts.
import * as z from 'zod';

/** Longest session name, in characters (spec section 5). */
export const SESSION_NAME_MAX = 64;

/** Name of a session: letters, digits, hyphen, underscore. */
export const sessionNameSchema = z
  .string()
  .min(1)
  .max(SESSION_NAME_MAX)
  .regex(/^[A-Za-z0-9_-]+$/, 'only letters, digits, hyphen and underscore');

/** Identifier of one run of a command, unique in this installation: `c-` and 12 base-32 characters. */
export const commandIdSchema = z.string().regex(/^c-[a-z2-7]{12}$/);

/** A moment as milliseconds since 1970-01-01 UTC. */
export const epochMsSchema = z.number().int().nonnegative();
