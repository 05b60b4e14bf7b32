// What waits for an answer of the person: the cards under "Needs you".
import * as z from 'zod';
import { actorSchema } from './actor.ts';
import { epochMsSchema } from './ids.ts';

/** An unknown host key that waits for trust. */
export const hostKeyCardSchema = z.object({
  kind: z.literal('host-key'),
  id: z.string(),
  sessionName: z.string(),
  host: z.string(),
  port: z.number().int(),
  username: z.string(),
  keyType: z.string(),
  fingerprint: z.string(),
  actor: actorSchema,
  createdAt: epochMsSchema,
  /** When the waiting call is answered HOST_KEY_UNKNOWN; the card stays and can still be answered. */
  callEndsAt: epochMsSchema,
});

/** Something went wrong that a person should know. */
export const faultCardSchema = z.object({
  kind: z.literal('fault'),
  id: z.string(),
  title: z.string(),
  text: z.string(),
  createdAt: epochMsSchema,
});

export const cardSchema = z.discriminatedUnion('kind', [hostKeyCardSchema, faultCardSchema]);
export type HostKeyCard = z.infer<typeof hostKeyCardSchema>;
export type FaultCard = z.infer<typeof faultCardSchema>;
export type Card = z.infer<typeof cardSchema>;
