// Patterns of a model: refused when they are wrong, and never allowed to hold up the event loop.
import { describe, expect, it } from 'vitest';
import { compileWaitFor, matchesWithin } from '../../../src-main/core/terminal/wait-for.ts';

describe('waitFor', () => {
  it('matches a prompt at the end of a line', () => {
    expect(matchesWithin(compileWaitFor('>>> $'), 'Python 3\n>>> ')).toBe(true);
    expect(matchesWithin(compileWaitFor('>>> $'), '>>> 1+1')).toBe(false);
    expect(matchesWithin(compileWaitFor('^login: $'), 'Debian\nlogin: \n')).toBe(true);
  });

  it('refuses what is no regular expression and shows it', () => {
    expect(() => compileWaitFor('(')).toThrow('not a valid regular expression');
    try {
      compileWaitFor('a**');
    } catch (error) {
      expect(error).toMatchObject({ code: 'INVALID_PARAMS', details: { field: 'waitFor', value: 'a**' } });
    }
  });

  it('gives up a pattern that would take years, and works on', () => {
    expect(() => matchesWithin(compileWaitFor('(a+)+$'), `${'a'.repeat(5000)}b`)).toThrow('too long to match');
    expect(matchesWithin(compileWaitFor('b$'), 'ab')).toBe(true);
  });

  it('searches the end of a long text', () => {
    const text = `START${'x'.repeat(1_000_000)}END`;
    expect(matchesWithin(compileWaitFor('END$'), text)).toBe(true);
    expect(matchesWithin(compileWaitFor('START'), text)).toBe(false);
  });
});
