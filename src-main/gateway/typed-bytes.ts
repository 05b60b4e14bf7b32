// Tells the journal how much a person typed into a terminal: one event per pause in typing, and never what was typed.
import type { PersonActor } from '../../src-shared/model/index.ts';
import type { Core } from '../core/core.ts';

/** After this long without a key an event is written. */
const QUIET_MS = 2000;

interface Burst {
  readonly actor: PersonActor;
  readonly session: string;
  bytes: number;
  timer: NodeJS.Timeout;
}

/** Counts per person and session. A terminal echoes what it shows, so what was typed blindly may well be a password. */
export class TypedBytes {
  readonly #bursts = new Map<string, Burst>();
  readonly #core: Pick<Core, 'journal'>;

  constructor(core: Pick<Core, 'journal'>) {
    this.#core = core;
  }

  add(session: string, actor: PersonActor, bytes: number): void {
    const key = `${actor.id} ${session}`;
    const before = this.#bursts.get(key);
    clearTimeout(before?.timer);
    const timer = setTimeout(() => void this.#write(key), QUIET_MS);
    this.#bursts.set(key, { actor, session, bytes: (before?.bytes ?? 0) + bytes, timer });
  }

  /** Writes what is left. */
  async close(): Promise<void> {
    await Promise.all([...this.#bursts.keys()].map((key) => this.#write(key)));
  }

  async #write(key: string): Promise<void> {
    const burst = this.#bursts.get(key);
    if (burst === undefined) return;
    clearTimeout(burst.timer);
    this.#bursts.delete(key);
    const { actor, session, bytes } = burst;
    await this.#core.journal.append({ type: 'terminal.input', at: Date.now(), actor, session, bytes, text: '' });
  }
}
