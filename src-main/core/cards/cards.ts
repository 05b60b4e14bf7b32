// The cards under "Needs you": unknown host keys that wait for trust, and faults a person should know.
import { randomUUID } from 'node:crypto';
import { appError } from '../../../src-shared/errors.ts';
import type { Actor, Card, HostKeyCard } from '../../../src-shared/model/index.ts';
import type { Clock } from '../clock.ts';
import type { Cards } from '../core.ts';
import type { AskHostKey, HostKeyQuestion } from '../ssh/port.ts';

/** How long a call waits for the person's answer about a host key; many clients give up at 60 s. */
export const HOST_KEY_WAIT_MS = 45_000;
/** Fault cards that are kept; the oldest give way. */
const MOST_FAULTS = 50;

/** What the cards need around them. */
export interface CardsOptions {
  readonly clock: Clock;
  /** `ask`: a card; `accept-new`: trusted at once. */
  readonly policy: 'ask' | 'accept-new';
  /** Stores a trusted key. Rejects with STORAGE_ERROR. */
  readonly trust: (question: HostKeyQuestion) => Promise<void>;
  readonly onAnswer: (question: HostKeyQuestion, answer: HostKeyAnswer, actor: Actor) => void;
  readonly onChange: () => void;
}

export type HostKeyAnswer = 'trusted' | 'refused' | 'accepted-new';

/** A call that waits for the answer. */
interface Waiter {
  readonly settle: (error: unknown) => void;
}

interface HostKeyEntry {
  readonly question: HostKeyQuestion;
  card: HostKeyCard;
  readonly waiters: Set<Waiter>;
}

/** Makes the cards and the answer to {@link AskHostKey}. */
export function createCards(options: CardsOptions): { readonly cards: Cards; readonly askHostKey: AskHostKey } {
  const board = new CardBoard(options);
  return { cards: board, askHostKey: (question, signal) => board.ask(question, signal) };
}

class CardBoard implements Cards {
  readonly #options: CardsOptions;
  /** By host, port and fingerprint: ten calls to one new host are one card. */
  readonly #hostKeys = new Map<string, HostKeyEntry>();
  #faults: readonly Card[] = [];

  constructor(options: CardsOptions) {
    this.#options = options;
  }

  list(): readonly Card[] {
    const all = [...[...this.#hostKeys.values()].map(({ card }) => card), ...this.#faults];
    return all.toSorted((a, b) => a.createdAt - b.createdAt);
  }

  addFault(title: string, text: string): void {
    const same = this.#faults.some((card) => card.kind === 'fault' && card.title === title && card.text === text);
    if (same) return;
    const card: Card = { kind: 'fault', id: randomUUID(), title, text, createdAt: this.#options.clock.now() };
    this.#faults = [...this.#faults, card].slice(-MOST_FAULTS);
    this.#options.onChange();
  }

  dismiss(id: string): void {
    const left = this.#faults.filter((card) => card.id !== id);
    if (left.length === this.#faults.length) return;
    this.#faults = left;
    this.#options.onChange();
  }

  async answerHostKey(id: string, trust: boolean, actor: Actor): Promise<boolean> {
    const found = [...this.#hostKeys].find(([, entry]) => entry.card.id === id);
    if (found === undefined) return false;
    const [key, entry] = found;
    // First out of the list: a second press must not answer twice.
    this.#hostKeys.delete(key);
    this.#options.onChange();
    try {
      if (trust) await this.#options.trust(entry.question);
    } catch (error) {
      settleAll(entry, error);
      throw error;
    }
    this.#options.onAnswer(entry.question, trust ? 'trusted' : 'refused', actor);
    settleAll(entry, trust ? null : refused(entry.question));
    return true;
  }

  async ask(question: HostKeyQuestion, signal: AbortSignal): Promise<void> {
    if (this.#options.policy === 'accept-new') {
      await this.#options.trust(question);
      this.#options.onAnswer(question, 'accepted-new', { kind: 'system' });
      return;
    }
    await this.#wait(this.#entryFor(question), signal);
  }

  #entryFor(question: HostKeyQuestion): HostKeyEntry {
    const key = `${question.host} ${question.port} ${question.fingerprint}`;
    const now = this.#options.clock.now();
    const known = this.#hostKeys.get(key);
    const entry = known ?? { question, card: cardFor(question, now), waiters: new Set() };
    entry.card = { ...entry.card, callEndsAt: now + HOST_KEY_WAIT_MS };
    this.#hostKeys.set(key, entry);
    this.#options.onChange();
    return entry;
  }

  #wait(entry: HostKeyEntry, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error: unknown): void => {
        entry.waiters.delete(waiter);
        cancelTimer();
        signal.removeEventListener('abort', stop);
        if (error === null) resolve();
        else reject(error instanceof Error ? error : new Error('no answer'));
      };
      const waiter: Waiter = { settle };
      const stop = (): void => settle(unanswered(entry.question));
      const cancelTimer = this.#options.clock.after(HOST_KEY_WAIT_MS, stop);
      entry.waiters.add(waiter);
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
  }
}

function settleAll(entry: HostKeyEntry, error: unknown): void {
  for (const waiter of [...entry.waiters]) waiter.settle(error);
}

function cardFor(question: HostKeyQuestion, now: number): HostKeyCard {
  const { sessionName, host, port, username, keyType, fingerprint, actor } = question;
  const card = { kind: 'host-key', id: randomUUID(), createdAt: now, callEndsAt: now } as const;
  return { ...card, sessionName, host, port, username, keyType, fingerprint, actor };
}

function facts(question: HostKeyQuestion): Readonly<Record<string, unknown>> {
  const { host, port, keyType, fingerprint, sessionName } = question;
  return { host, port, keyType, fingerprint, session: sessionName };
}

function unanswered(question: HostKeyQuestion): Error {
  return appError('HOST_KEY_UNKNOWN', {
    message: `The host key of ${question.host} port ${question.port} (${question.keyType} ${question.fingerprint}) is not known, and nobody has trusted it yet`,
    details: { reason: 'not_trusted_yet', ...facts(question) },
  });
}

function refused(question: HostKeyQuestion): Error {
  return appError('DENIED', {
    message: `The person refused the host key of ${question.host} port ${question.port} (${question.fingerprint})`,
    hint: 'Do not connect to this host again unless the person asks for it.',
    details: { reason: 'host_key_refused', ...facts(question) },
  });
}
