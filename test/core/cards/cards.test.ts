// Cards: an unknown host key waits for a person, and faults are shown until dismissed.
import { beforeEach, describe, expect, it } from 'vitest';
import { appError } from '../../../src-shared/errors.ts';
import type { Actor, HostKeyCard } from '../../../src-shared/model/index.ts';
import { HOST_KEY_WAIT_MS, createCards } from '../../../src-main/core/cards/cards.ts';
import type { HostKeyQuestion } from '../../../src-main/core/ssh/port.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

const client: Actor = { kind: 'client', id: 'c', name: 'Claude', version: '1' };
const person: Actor = { kind: 'person', id: 'p', view: 'window' };
const question: HostKeyQuestion = {
  host: 'db.example',
  port: 2222,
  username: 'ada',
  keyType: 'ssh-ed25519',
  key: new Uint8Array([1, 2, 3]),
  fingerprint: 'SHA256:abc',
  sessionName: 'db',
  actor: client,
};
const never = new AbortController().signal;

let clock = createFakeClock();
let told: string[] = [];
let trustFails = false;

beforeEach(() => {
  clock = createFakeClock();
  told = [];
  trustFails = false;
});

function make(policy: 'ask' | 'accept-new' = 'ask') {
  return createCards({
    clock,
    policy,
    trust: async (asked) => {
      if (trustFails) throw appError('STORAGE_ERROR');
      told.push(`stored ${asked.fingerprint}`);
    },
    onAnswer: (asked, answer, actor) => told.push(`${answer} ${asked.host} by ${actor.kind}`),
    onChange: () => undefined,
  });
}

function onlyCard(cards: ReturnType<typeof make>['cards']): HostKeyCard {
  const [card, ...more] = cards.list();
  if (card?.kind !== 'host-key' || more.length > 0) throw new Error('expected one host key card');
  return card;
}

describe('an unknown host key', () => {
  it('is stored at once under accept-new, and that is told', async () => {
    const { cards, askHostKey } = make('accept-new');
    await askHostKey(question, never);
    expect(told).toEqual(['stored SHA256:abc', 'accepted-new db.example by system']);
    expect(cards.list()).toEqual([]);
  });

  it('becomes a card with everything a person needs to decide', async () => {
    const { cards, askHostKey } = make();
    const asked = askHostKey(question, never);
    expect(onlyCard(cards)).toEqual({
      kind: 'host-key',
      id: expect.any(String) as string,
      sessionName: 'db',
      host: 'db.example',
      port: 2222,
      username: 'ada',
      keyType: 'ssh-ed25519',
      fingerprint: 'SHA256:abc',
      actor: client,
      createdAt: clock.now(),
      callEndsAt: clock.now() + HOST_KEY_WAIT_MS,
    });
    expect(await cards.answerHostKey(onlyCard(cards).id, true, person)).toBe(true);
    await asked;
    expect(told).toEqual(['stored SHA256:abc', 'trusted db.example by person']);
    expect({ cards: cards.list(), timers: clock.pending }).toEqual({ cards: [], timers: 0 });
  });

  it('answers HOST_KEY_UNKNOWN after 45 s; the card stays, and trust given later is stored', async () => {
    const { cards, askHostKey } = make();
    const asked = askHostKey(question, never);
    clock.advance(HOST_KEY_WAIT_MS);
    await expect(asked).rejects.toMatchObject({
      code: 'HOST_KEY_UNKNOWN',
      details: { fingerprint: 'SHA256:abc', host: 'db.example', port: 2222 },
    });
    await cards.answerHostKey(onlyCard(cards).id, true, person);
    expect(told).toEqual(['stored SHA256:abc', 'trusted db.example by person']);
  });

  it('is DENIED when the person refuses, and asked again at the next call', async () => {
    const { cards, askHostKey } = make();
    const asked = askHostKey(question, never);
    await cards.answerHostKey(onlyCard(cards).id, false, person);
    await expect(asked).rejects.toMatchObject({ code: 'DENIED', details: { reason: 'host_key_refused' } });
    expect(told).toEqual(['refused db.example by person']);
    void askHostKey(question, never).catch(() => undefined);
    expect(onlyCard(cards).host).toBe('db.example');
  });

  it('is one card for many calls, each with its own 45 s, and one answer serves all', async () => {
    const { cards, askHostKey } = make();
    const first = askHostKey(question, never);
    clock.advance(20_000);
    const second = askHostKey({ ...question, sessionName: 'db-2' }, never);
    expect(onlyCard(cards).callEndsAt).toBe(clock.now() + HOST_KEY_WAIT_MS);
    clock.advance(25_000);
    await expect(first).rejects.toMatchObject({ code: 'HOST_KEY_UNKNOWN' });
    await cards.answerHostKey(onlyCard(cards).id, true, person);
    await second;
  });

  it('is another card on another port or with another key', () => {
    const { cards, askHostKey } = make();
    for (const other of [question, { ...question, port: 22 }, { ...question, fingerprint: 'SHA256:def' }])
      void askHostKey(other, never).catch(() => undefined);
    expect(cards.list()).toHaveLength(3);
  });

  it('lets a call go that is given up, and keeps the card', async () => {
    const { cards, askHostKey } = make();
    const aborting = new AbortController();
    const asked = askHostKey(question, aborting.signal);
    aborting.abort();
    await expect(asked).rejects.toMatchObject({ code: 'HOST_KEY_UNKNOWN' });
    await expect(askHostKey(question, aborting.signal)).rejects.toMatchObject({ code: 'HOST_KEY_UNKNOWN' });
    expect({ card: onlyCard(cards).host, timers: clock.pending }).toEqual({ card: 'db.example', timers: 0 });
  });

  it('is answered once: a second press finds no card', async () => {
    const { cards, askHostKey } = make();
    void askHostKey(question, never);
    const { id } = onlyCard(cards);
    expect(await cards.answerHostKey(id, true, person)).toBe(true);
    expect(await cards.answerHostKey(id, false, person)).toBe(false);
  });

  it('fails with the reason when the key cannot be stored', async () => {
    const { cards, askHostKey } = make();
    trustFails = true;
    const asked = askHostKey(question, never);
    const answered = cards.answerHostKey(onlyCard(cards).id, true, person);
    await expect(asked).rejects.toMatchObject({ code: 'STORAGE_ERROR' });
    await expect(answered).rejects.toMatchObject({ code: 'STORAGE_ERROR' });
    expect(told).toEqual([]);
  });
});

describe('fault cards', () => {
  it('are shown once per fault until dismissed, oldest first', () => {
    const { cards } = make();
    cards.addFault('Disk full', 'No space');
    clock.advance(1);
    cards.addFault('Disk full', 'No space');
    cards.addFault('Journal', 'Not writable');
    expect(cards.list()).toMatchObject([{ title: 'Disk full' }, { title: 'Journal' }]);
    cards.dismiss(cards.list()[0]?.id ?? '');
    cards.dismiss('nothing');
    expect(cards.list()).toMatchObject([{ title: 'Journal' }]);
  });

  it('never grow beyond fifty', () => {
    const { cards } = make();
    for (let i = 0; i < 60; i += 1) cards.addFault('Fault', `number ${i}`);
    expect(cards.list()).toHaveLength(50);
  });
});
