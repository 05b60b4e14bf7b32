// Who does something: an assistant's client, a person at a view, or Patchbay itself.
import * as z from 'zod';

/** An MCP client, as it named itself. `id` tells connections apart and is no credential. */
export const clientActorSchema = z.object({
  kind: z.literal('client'),
  id: z.string(),
  /** `clientInfo.name` (or title), shortened and free of control characters. */
  name: z.string(),
  version: z.string(),
});

/** A person at the window or at a browser page. */
export const personActorSchema = z.object({
  kind: z.literal('person'),
  id: z.string(),
  view: z.enum(['window', 'page', 'tray']),
});

export const systemActorSchema = z.object({ kind: z.literal('system') });

export const actorSchema = z.discriminatedUnion('kind', [clientActorSchema, personActorSchema, systemActorSchema]);

export type ClientActor = z.infer<typeof clientActorSchema>;
export type PersonActor = z.infer<typeof personActorSchema>;
export type Actor = z.infer<typeof actorSchema>;

/** The word for an actor on screen and in the journal. */
export function actorLabel(actor: Actor): string {
  if (actor.kind === 'client') return actor.name;
  return actor.kind === 'person' ? 'You' : 'Patchbay';
}
