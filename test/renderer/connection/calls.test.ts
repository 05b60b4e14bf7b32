import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { backOffMs } from '../../../src-renderer/connection/back-off.ts';
import { Calls } from '../../../src-renderer/connection/calls.ts';
import { quietState } from '../../support/scenes.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function calls(line = true) {
  const sent: string[] = [];
  const made = new Calls((text) => {
    sent.push(text);
    return line;
  });
  return { sent, made };
}

describe('calls over a line', () => {
  it('match answers to requests in any order', async () => {
    const { made, sent } = calls();
    const first = made.call('state.get', {});
    const second = made.call('command.run', { session: 's', command: 'true' });
    made.answer({ id: 2, ok: true, output: { commandId: 'c-1' } });
    made.answer({ id: 1, ok: true, output: quietState() });
    expect(await second).toEqual({ commandId: 'c-1' });
    expect((await first).version).toBe('0.1.0');
    expect(JSON.parse(sent[1] ?? '')).toEqual({ id: 2, call: 'command.run', input: { session: 's', command: 'true' } });
  });

  it('reject with the code and the hint of the gateway, unknown codes as a fault of ours', async () => {
    const { made } = calls();
    const one = made.call('state.get', {});
    const other = made.call('state.get', {});
    const error = { message: 'm', hint: 'h', retry: 'no' as const, details: {} };
    made.answer({ id: 1, ok: false, error: { ...error, code: 'DENIED' } });
    made.answer({ id: 2, ok: false, error: { ...error, code: 'FROM_THE_FUTURE' } });
    await expect(one).rejects.toMatchObject({ code: 'DENIED', message: 'm', hint: 'h' });
    await expect(other).rejects.toMatchObject({ code: 'INTERNAL_ERROR', message: 'm' });
  });

  it('reject when the answer is not what the protocol says', async () => {
    const { made } = calls();
    const call = made.call('command.run', { session: 's', command: 'true' });
    made.answer({ id: 1, ok: true, output: {} });
    await expect(call).rejects.toThrow('commandId');
  });

  it('fail at once without a line, when the line goes, and when nobody answers', async () => {
    await expect(calls(false).made.call('state.get', {})).rejects.toMatchObject({ code: 'APP_UNAVAILABLE' });
    const { made } = calls();
    const lost = made.call('state.get', {});
    made.failAll();
    await expect(lost).rejects.toMatchObject({ code: 'APP_UNAVAILABLE' });
    const silent = made.call('state.get', {});
    vi.advanceTimersByTime(150_000);
    await expect(silent).rejects.toMatchObject({ code: 'APP_UNAVAILABLE' });
  });
});

describe('tries after a loss', () => {
  it('come quickly at first and every five seconds at last', () => {
    expect([1, 2, 3, 4, 5, 6, 60].map(backOffMs)).toEqual([300, 600, 1200, 2400, 4800, 5000, 5000]);
  });
});
