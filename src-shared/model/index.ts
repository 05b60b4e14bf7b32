// The model that all parts share, one name at a time.
export { actorLabel, actorSchema, clientActorSchema, personActorSchema } from './actor.ts';
export type { Actor, ClientActor, PersonActor } from './actor.ts';
export { connectedClientSchema, endpointsSchema, pauseStateSchema } from './app.ts';
export type { ConnectedClient, Endpoints, PauseState } from './app.ts';
export { commandStatusSchema, commandViewSchema, isFinal, streamNameSchema } from './command.ts';
export type { CommandStatus, CommandView, StreamName } from './command.ts';
export { SESSION_NAME_MAX, commandIdSchema, epochMsSchema, sessionNameSchema } from './ids.ts';
export { journalEventSchema } from './journal.ts';
export type { JournalEvent } from './journal.ts';
export { cardSchema, faultCardSchema, hostKeyCardSchema } from './needs.ts';
export type { Card, FaultCard, HostKeyCard } from './needs.ts';
export { leaseSchema, leaseWordSchema, sessionKindSchema, sessionStatusSchema, sessionViewSchema } from './session.ts';
export type { LeaseState, SessionKind, SessionStatus, SessionView } from './session.ts';
