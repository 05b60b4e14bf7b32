import { describe, expect, it } from 'vitest';
import { byteCount } from '../../../src-renderer/format/bytes.ts';
import { elapsed, outcome } from '../../../src-renderer/format/exit.ts';
import { keyTypeWord } from '../../../src-renderer/format/key-type.ts';
import { addressOf, counted, cutMiddle, oneLine } from '../../../src-renderer/format/text.ts';
import { ago, clock, duration, secondsUntil } from '../../../src-renderer/format/time.ts';
import { commandView } from '../../support/scenes.ts';

describe('times in words', () => {
  it.each([
    [0, '0:00'],
    [42_900, '0:42'],
    [725_000, '12:05'],
    [3_753_000, '1:02:33'],
    [-5, '0:00'],
  ])('counts %i ms as %s', (ms, text) => expect(clock(ms)).toBe(text));

  it.each([
    [12, '0.01 s'],
    [2449, '2.4 s'],
    [59_999, '59.9 s'],
    [60_000, '1:00'],
  ])('tells that %i ms took %s', (ms, text) => expect(duration(ms)).toBe(text));

  it.each([
    [900, 'just now'],
    [40_000, '40 s'],
    [240_000, '4 min'],
    [7_300_000, '2 h'],
    [86_400_000, '1 day'],
    [260_000_000, '3 days'],
  ])('tells that %i ms ago was %s ago', (ms, text) => expect(ago(ms)).toBe(text));

  it('rounds seconds that are left up, and never below zero', () => {
    expect([secondsUntil(1001, 0), secondsUntil(0, 5000)]).toEqual([2, 0]);
  });
});

describe('amounts and names in words', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [4200, '4.2 kB'],
    [999_600, '1.0 MB'],
    [418_000_000, '418 MB'],
  ])('tells %i bytes as %s', (bytes, text) => expect(byteCount(bytes)).toBe(text));

  it('keeps both ends of a long name', () => {
    expect(cutMiddle('build.internal.example.com', 11)).toBe('build…e.com');
    expect(cutMiddle('short', 11)).toBe('short');
  });

  it('puts an IPv6 address into brackets', () => {
    expect(addressOf({ username: 'a', host: '::1', port: 22 })).toBe('a@[::1]:22');
  });

  it('shows on one line what could hide', () => {
    expect(oneLine('a\nb\u202ec\u001b[2J')).toBe('a ⏎ b<U+202E>c␛[2J');
  });

  it('counts one and many', () => {
    expect([counted(1, 'session'), counted(0, 'session')]).toEqual(['1 session', '0 sessions']);
  });

  it('calls key types what people call them, and unknown ones by their own name', () => {
    expect([keyTypeWord('ecdsa-sha2-nistp256'), keyTypeWord('x-new')]).toEqual(['ECDSA P-256', 'x-new']);
  });
});

describe('the end of a command in words', () => {
  it.each([
    [{}, 'exit 0', 'ok'],
    [{ exitCode: 127 }, 'exit 127', 'bad'],
    [{ exitCode: 143, signal: 'TERM' }, 'killed by TERM', 'bad'],
    [{ exitCode: null }, 'ended', 'quiet'],
    [{ status: 'cancelled' }, 'cancelled', 'warn'],
    [{ status: 'timed_out' }, 'timed out', 'warn'],
    [{ status: 'lost' }, 'lost', 'bad'],
    [{ status: 'running' }, 'running', 'live'],
    [{ status: 'queued', queuePosition: 2 }, 'queued, 2', 'quiet'],
  ] as const)('%o is %s', (part, word, tone) => {
    expect(outcome(commandView({ command: 'x', ...part }))).toEqual({ word, tone });
  });

  it('counts a running command up to now, and an ended one to its end', () => {
    const base = { command: 'x', startedAt: 1000 };
    expect(elapsed(commandView({ ...base, endedAt: null }), 5000)).toBe(4000);
    expect(elapsed(commandView({ ...base, endedAt: 1500 }), 5000)).toBe(500);
    expect(elapsed(commandView({ command: 'x', startedAt: null }), 5000)).toBeNull();
  });
});
