// The events that the gateway sends to views after `state.get`.
import * as z from 'zod';
import { connectedClientSchema, endpointsSchema, pauseStateSchema } from '../model/app.ts';
import { commandViewSchema } from '../model/command.ts';
import { cardSchema } from '../model/needs.ts';
import { sessionViewSchema } from '../model/session.ts';

/** The map of events. A view that is bound to one session receives only what concerns it. */
export const EVENTS = {
  'session.changed': z.object({ session: sessionViewSchema }),
  'session.removed': z.object({ name: z.string() }),
  'command.changed': z.object({ command: commandViewSchema }),
  'cards.changed': z.object({ cards: z.array(cardSchema) }),
  'pause.changed': z.object({ pause: pauseStateSchema }),
  'clients.changed': z.object({ clients: z.array(connectedClientSchema) }),
  'endpoints.changed': z.object({ endpoints: endpointsSchema }),
  /**
   * The stream skipped ahead (a slow view, or history longer than 4 MiB); `bytes` were left out before `offset`.
   * Before the next frame. The view resets its decoder and, in a transcript, colours; a terminal gets a snapshot next.
   */
  'stream.skipped': z.object({ streamId: z.number().int(), offset: z.number().int(), bytes: z.number().int() }),
  'stream.ended': z.object({ streamId: z.number().int() }),
  'terminal.resized': z.object({ session: z.string(), cols: z.number().int(), rows: z.number().int() }),
} as const;

export type EventName = keyof typeof EVENTS;
export type EventPayload<Name extends EventName> = z.infer<(typeof EVENTS)[Name]>;
