// Whose command comes next: everybody who waits gets a turn before anybody gets two.
import { expect, it } from 'vitest';
import type { Actor } from '../../../src-shared/model/index.ts';
import { systemClock } from '../../../src-main/core/clock.ts';
import { CommandRun } from '../../../src-main/core/lanes/command-run.ts';
import { FairQueue } from '../../../src-main/core/lanes/fair-queue.ts';
import type { Spool } from '../../../src-main/core/lanes/spool.ts';
import { CLIENT, PERSON } from '../../support/lane.ts';

const OTHER: Actor = { kind: 'client', id: 'client-2', name: 'Other', version: '1' };

function queueOf(...asked: readonly (readonly [string, Actor])[]) {
  const queue = new FairQueue();
  const runs = new Map(asked.map(([name, actor]) => [name, runOf(name, actor)]));
  for (const run of runs.values()) queue.add(run);
  const names = () => queue.runs.map(({ request }) => request.command);
  const add = (name: string, actor: Actor) => queue.add(runOf(name, actor));
  return { queue, runs, names, add };
}

function runOf(name: string, actor: Actor): CommandRun {
  return new CommandRun({
    ...{ request: { command: name, timeoutMs: 1000 }, actor, sessionName: 'web-1', clock: systemClock },
    // No output is stored here.
    spools: () => ({}) as Record<'stdout' | 'stderr', Spool>,
    position: () => null,
    cancel: () => Promise.resolve(),
    onChange: () => undefined,
  });
}

it('keeps the order of one actor, and lets others in between', () => {
  const { names, runs, queue } = queueOf(['a1', CLIENT], ['a2', CLIENT], ['a3', CLIENT], ['b1', OTHER], ['p1', PERSON]);
  expect(names()).toEqual(['a1', 'b1', 'p1', 'a2', 'a3']);
  expect([...runs.values()].map((run) => queue.position(run))).toEqual([1, 4, 5, 2, 3]);
});

it('counts the turn that somebody has just had', () => {
  const { names, queue, add } = queueOf(['a1', CLIENT], ['a2', CLIENT]);
  expect(queue.take(false)?.request.command).toBe('a1');
  add('b1', OTHER);
  expect(names()).toEqual(['b1', 'a2']);
});

it('forgets turns that were cancelled: whoever asked for 200 waits no longer afterwards', () => {
  const { names, runs, queue, add } = queueOf(
    ...Array.from({ length: 200 }, (_, number): readonly [string, Actor] => [`a${number}`, CLIENT]),
  );
  for (const run of runs.values()) expect(queue.remove(run)).toBe(true);
  for (const run of runs.values()) expect(queue.remove(run)).toBe(false);
  add('b1', OTHER);
  add('b2', OTHER);
  add('again', CLIENT);
  expect(names()).toEqual(['b1', 'again', 'b2']);
});

it('takes only what a person has asked for while assistants are held', () => {
  const { names, queue } = queueOf(['a1', CLIENT], ['p1', PERSON], ['a2', CLIENT]);
  expect(queue.take(true)?.request.command).toBe('p1');
  expect(queue.take(true)).toBeUndefined();
  expect(names()).toEqual(['a1', 'a2']);
});
