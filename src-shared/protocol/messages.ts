// The envelopes that carry calls, answers and events as JSON text, over a MessagePort or a WebSocket alike.
import * as z from 'zod';

/** View to gateway. */
export const requestSchema = z.strictObject({
  id: z.number().int().nonnegative(),
  call: z.string(),
  input: z.unknown(),
});
export type Request = z.infer<typeof requestSchema>;

const errorSchema = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.string(),
  retry: z.enum(['no', 'same', 'after-change']),
  details: z.record(z.string(), z.unknown()),
});

/** Gateway to view: an answer, or an event. */
export const serverMessageSchema = z.union([
  z.object({ id: z.number().int(), ok: z.literal(true), output: z.unknown() }),
  z.object({ id: z.number().int(), ok: z.literal(false), error: errorSchema }),
  z.object({ event: z.string(), payload: z.unknown() }),
]);
export type ServerMessage = z.infer<typeof serverMessageSchema>;
