// Who is at the other end of an MCP connection, and its place in the list of connected clients.
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { ClientActor, ConnectedClient } from '../../src-shared/model/index.ts';
import type { Core } from '../core/core.ts';

/** Longest name or version of a client that is kept, in characters. */
const NAME_CHARS = 64;

const clientInfoSchema = z.object({ name: z.string(), title: z.string().optional(), version: z.string().optional() });

type Transport = ConnectedClient['transport'];

/** One client. */
export interface ClientPresence {
  readonly actor: ClientActor;
  /** For the log: name and the start of the id. */
  readonly label: string;
  /** It was seen now; takes what it says about itself (`clientInfo`, unchecked) where that is known. */
  introduce(clientInfo: unknown): void;
  /** It is off the list until it is seen again. */
  fade(): void;
  /** It is gone for good. */
  leave(): void;
}

/** Puts a client on the list under a fresh id. */
export function arrive(core: Core, transport: Transport): ClientPresence {
  const presence = new Presence(core, transport);
  presence.introduce(undefined);
  return presence;
}

class Presence implements ClientPresence {
  #actor: ClientActor = { kind: 'client', id: randomUUID(), name: 'unknown client', version: '' };
  #state: 'away' | 'here' | 'gone' = 'away';

  constructor(
    private readonly core: Core,
    private readonly transport: Transport,
  ) {}

  get actor(): ClientActor {
    return this.#actor;
  }

  get label(): string {
    return `${this.#actor.name} ${this.#actor.id.slice(0, 8)}`;
  }

  introduce(clientInfo: unknown): void {
    const about = readClientInfo(clientInfo);
    if (about !== undefined) this.#actor = { ...this.#actor, ...about };
    if (this.#state === 'here') this.core.clients.touch(this.#actor.id, about);
    if (this.#state !== 'away') return;
    this.#state = 'here';
    const { id, name, version } = this.#actor;
    const now = Date.now();
    this.core.clients.add({ id, name, version, transport: this.transport, since: now, lastSeen: now });
    this.#note('client.connected');
  }

  fade(): void {
    if (this.#state !== 'here') return;
    this.#state = 'away';
    this.core.clients.remove(this.#actor.id);
    this.#note('client.gone');
  }

  leave(): void {
    this.fade();
    this.#state = 'gone';
  }

  #note(type: 'client.connected' | 'client.gone'): void {
    const { core, transport } = this;
    void core.journal.append({ at: Date.now(), actor: this.#actor, type, transport });
    const message = type === 'client.connected' ? 'MCP client connected' : 'MCP client gone';
    core.options.log.info(message, { client: this.label, transport });
  }
}

/** The name and version that a client gives, cleaned for lists and the journal; undefined when it gives none. */
export function readClientInfo(clientInfo: unknown): { readonly name: string; readonly version: string } | undefined {
  const { data } = clientInfoSchema.safeParse(clientInfo);
  const name = clean(data?.title ?? '') || clean(data?.name ?? '');
  return data === undefined || name === '' ? undefined : { name, version: clean(data.version ?? '') };
}

/** Without control, invisible and direction characters, so that no name can look like another or break a line. */
const clean = (text: string): string =>
  text
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, NAME_CHARS);
