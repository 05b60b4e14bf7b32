// Who may type in one session: nobody yet, an assistant, or the person at the desk.
import type { ClientActor, LeaseState, PersonActor } from '../../../src-shared/model/index.ts';
import { appError } from '../../../src-shared/errors.ts';
import type { CancelTimer, Clock } from '../clock.ts';
import type { Lease } from './port.ts';

/** Time without typing after which an assistant no longer counts as driving. */
export const IDLE_AFTER_MS = 60_000;

type Holder =
  | { readonly kind: 'idle' }
  | { readonly kind: 'agent'; readonly client: ClientActor }
  | { readonly kind: 'person'; readonly person: PersonActor };

/** What a lease asks and tells its session. */
export interface LeaseOptions {
  readonly sessionName: string;
  readonly clock: Clock;
  /** Something runs for an assistant: it keeps driving as long as that is so. */
  readonly busy: () => boolean;
  /** All assistants are paused. */
  readonly paused: () => boolean;
  /** The person has taken the session (after the state has changed). */
  readonly onTaken: (person: PersonActor) => void;
  /** The person has given it back. */
  readonly onReturned: (person: PersonActor, note: string) => void;
  /** Any change of what {@link SessionLease.state} answers. */
  readonly onChange: () => void;
}

/** The lease of one session. */
export class SessionLease implements Lease {
  readonly #options: LeaseOptions;
  #holder: Holder = { kind: 'idle' };
  #since: number;
  #idleTimer: CancelTimer | null = null;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#since = options.clock.now();
  }

  get heldByPerson(): boolean {
    return this.#holder.kind === 'person';
  }

  /** The state for views. A person's hold shows also while assistants are paused. */
  state(): LeaseState {
    const since = this.#since;
    if (this.#holder.kind === 'person') return { holder: 'person', client: null, since };
    if (this.#options.paused()) return { holder: 'paused', client: null, since };
    if (this.#holder.kind === 'idle') return { holder: 'idle', client: null, since };
    return { holder: 'agent', client: this.#holder.client, since };
  }

  check(): void {
    if (this.#holder.kind !== 'person') return;
    throw appError('HUMAN_IN_CONTROL', {
      message: `The person at the desk has taken over session "${this.#options.sessionName}"`,
      details: { session: this.#options.sessionName, since: this.#since },
    });
  }

  useAsClient(client: ClientActor): void {
    this.check();
    this.#armIdle();
    if (this.#holder.kind === 'agent' && this.#holder.client.id === client.id) return;
    this.#become({ kind: 'agent', client });
  }

  take(person: PersonActor): void {
    const held = this.heldByPerson;
    this.#disarmIdle();
    this.#become({ kind: 'person', person });
    // A second view of the same person changes who is shown, not who drives.
    if (!held) this.#options.onTaken(person);
  }

  handBack(person: PersonActor, note: string): void {
    if (!this.heldByPerson) return;
    this.#become({ kind: 'idle' });
    this.#options.onReturned(person, note);
  }

  close(): void {
    this.#disarmIdle();
  }

  #become(holder: Holder): void {
    if (holder.kind !== this.#holder.kind) this.#since = this.#options.clock.now();
    this.#holder = holder;
    this.#options.onChange();
  }

  #armIdle(): void {
    this.#disarmIdle();
    this.#idleTimer = this.#options.clock.after(IDLE_AFTER_MS, () => this.#perhapsIdle());
  }

  #disarmIdle(): void {
    this.#idleTimer?.();
    this.#idleTimer = null;
  }

  #perhapsIdle(): void {
    this.#idleTimer = null;
    if (this.#holder.kind !== 'agent') return;
    if (this.#options.busy()) this.#armIdle();
    else this.#become({ kind: 'idle' });
  }
}
