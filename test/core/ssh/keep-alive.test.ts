// The keep-alive's arithmetic, with a clock that the test moves.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KeepAlive } from '../../../src-main/core/ssh/keep-alive.ts';

const INTERVAL_MS = 15_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

type Answered = (alive: boolean) => void;

function start(onPing: (answered: Answered, number: number) => void = () => undefined) {
  const answers: Answered[] = [];
  const ping = (answered: Answered): void => onPing(answered, answers.push(answered));
  const port = { ping, bytesIn: 0 };
  let deadAt = Infinity;
  const keepAlive = new KeepAlive(port, INTERVAL_MS, () => (deadAt = performance.now()));
  return { answers, port, keepAlive, deadAt: () => deadAt };
}

describe('keep-alive', () => {
  it('finds a silent link dead within four intervals, after three pings without an answer', () => {
    const { answers, deadAt } = start();
    const startedAt = performance.now();
    vi.advanceTimersByTime(10 * INTERVAL_MS);
    expect(answers).toHaveLength(3);
    expect(deadAt() - startedAt).toBeLessThanOrEqual(4 * INTERVAL_MS);
    expect(deadAt() - startedAt).toBeGreaterThan(3 * INTERVAL_MS);
  });

  it('measures the round trip and starts counting anew with each answer', () => {
    const { keepAlive, deadAt } = start((answered, number) => {
      if (number % 3 === 0) setTimeout(() => answered(true), 70);
    });
    vi.advanceTimersByTime(30 * INTERVAL_MS);
    expect(keepAlive.rttMs).toBe(70);
    expect(deadAt()).toBe(Infinity);
  });

  it('takes any byte from the server as a sign of life', () => {
    const { port, deadAt } = start();
    for (let round = 0; round < 20; round += 1) {
      vi.advanceTimersByTime(INTERVAL_MS);
      port.bytesIn += 100;
    }
    expect(deadAt()).toBe(Infinity);
  });

  it('does not count the time in which this computer slept', () => {
    const { deadAt, answers } = start();
    vi.advanceTimersByTime(2.95 * INTERVAL_MS);
    // The clock jumps, the timer comes late: as after a night in a closed lid.
    const now = performance.now.bind(performance);
    const slept = vi.spyOn(performance, 'now').mockImplementation(() => now() + 8 * 3_600_000);
    vi.advanceTimersByTime(INTERVAL_MS);
    expect(deadAt()).toBe(Infinity);
    vi.advanceTimersByTime(10 * INTERVAL_MS);
    expect(deadAt()).toBeLessThan(Infinity);
    expect(answers.length).toBeGreaterThan(4);
    slept.mockRestore();
  });

  it('stops with close, and ignores answers after it or from a connection that ended', () => {
    const { answers, keepAlive, deadAt } = start();
    vi.advanceTimersByTime(INTERVAL_MS);
    answers[0]?.(false);
    expect(keepAlive.rttMs).toBeNull();
    keepAlive.close();
    answers[0]?.(true);
    vi.advanceTimersByTime(10 * INTERVAL_MS);
    expect([answers.length, keepAlive.rttMs, deadAt()]).toEqual([1, null, Infinity]);
  });
});
