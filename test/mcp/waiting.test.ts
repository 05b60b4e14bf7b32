// Checks waits and their progress on a fake clock.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NO_PROGRESS, PROGRESS_MS, createProgress, waitFor } from '../../src-main/mcp/waiting.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const never = new Promise<never>(() => undefined);

describe('a wait', () => {
  it('ends when the thing is done, and leaves nothing behind', async () => {
    const { signal } = new AbortController();
    expect(await waitFor(Promise.resolve(), { waitMs: 1_000, signal })).toBe('done');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends when the time is over', async () => {
    const ended = waitFor(never, { waitMs: 45_000, signal: new AbortController().signal });
    await vi.advanceTimersByTimeAsync(44_999);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await ended).toBe('time');
  });

  it('ends when the client gives up, before or during it', async () => {
    const abort = new AbortController();
    const ended = waitFor(never, { waitMs: 45_000, signal: abort.signal });
    abort.abort();
    expect(await ended).toBe('aborted');
    expect(await waitFor(never, { waitMs: 45_000, signal: abort.signal })).toBe('aborted');
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('progress', () => {
  it('FC17 comes at least every ten seconds over half an hour, always rises, and ends with the wait', async () => {
    const sent: [number, string, number][] = [];
    const progress = createProgress((value, message) => {
      sent.push([value, message, Date.now()]);
      return Promise.resolve();
    });
    const begin = Date.now();
    const stop = progress.report(() => 'last line');
    await vi.advanceTimersByTimeAsync(1_800_000);
    stop();
    expect(sent.length).toBe(Math.floor(1_800_000 / PROGRESS_MS));
    for (const [index, [value, message, at]] of sent.entries()) {
      const [before, , beforeAt] = sent[index - 1] ?? [0, '', begin];
      expect(value).toBeGreaterThan(before);
      expect(at - beforeAt).toBeLessThanOrEqual(10_000);
      expect(message).toBe('last line');
    }
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent.length).toBe(Math.floor(1_800_000 / PROGRESS_MS));
  });

  it('survives a client that is gone', async () => {
    const stop = createProgress(() => Promise.reject(new Error('closed'))).report(() => '');
    await vi.advanceTimersByTimeAsync(3 * PROGRESS_MS);
    stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is silent for a client that did not ask', () => {
    NO_PROGRESS.report(() => 'x')();
    expect(vi.getTimerCount()).toBe(0);
  });
});
