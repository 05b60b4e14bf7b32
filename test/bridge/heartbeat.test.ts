// Silence of the app while a call waits: asked after a while, then taken for what it is, until the app is heard again.
import { expect, it } from 'vitest';
import { HANGS_AFTER, Heartbeat } from '../../src-main/bridge/heartbeat.ts';

function make() {
  const told: string[] = [];
  const beat = new Heartbeat({ ask: () => void told.push('ask'), hangs: () => void told.push('hangs') });
  const tick = (count: number, waits = true): void => {
    for (let each = 0; each < count; each += 1) beat.tick(waits);
  };
  return { told, beat, tick };
}

it('asks once, then says once that the app hangs', () => {
  const { told, beat, tick } = make();
  tick(HANGS_AFTER - 1);
  expect([told, beat.hanging]).toEqual([['ask'], false]);
  tick(100);
  expect([told, beat.hanging]).toEqual([['ask', 'hangs'], true]);
  beat.heard();
  expect(beat.hanging).toBe(false);
  tick(HANGS_AFTER);
  expect(told).toEqual(['ask', 'hangs', 'ask', 'hangs']);
});

it('takes silence for nothing while no call waits, and starts over with every sign of life', () => {
  const { told, beat, tick } = make();
  tick(100, false);
  tick(2);
  tick(1, false);
  tick(2);
  expect(told).toEqual([]);
  beat.heard();
  for (let each = 0; each < 20; each += 1) {
    tick(HANGS_AFTER - 1);
    beat.heard();
  }
  expect(told).toEqual(Array.from({ length: 20 }, () => 'ask'));
});
