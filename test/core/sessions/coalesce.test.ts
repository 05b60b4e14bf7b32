// Many changes become few notices, and the last one is never lost.
import { describe, expect, it } from 'vitest';
import { coalesce } from '../../../src-main/core/sessions/coalesce.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

function make() {
  const clock = createFakeClock();
  let notices = 0;
  const changes = coalesce(clock, 100, () => (notices += 1));
  return { clock, changes, notices: () => notices };
}

describe('coalesce', () => {
  it('tells the first change at once and those that follow together', () => {
    const { clock, changes, notices } = make();
    for (let i = 0; i < 50; i += 1) changes.poke();
    expect(notices()).toBe(1);
    clock.advance(100);
    expect(notices()).toBe(2);
    clock.advance(1000);
    expect(notices()).toBe(2);
  });

  it('tells at most ten in a second, and the last change is always told', () => {
    const { clock, changes, notices } = make();
    for (let ms = 0; ms < 1000; ms += 1) {
      changes.poke();
      clock.advance(1);
    }
    expect(notices()).toBeLessThanOrEqual(11);
    const before = notices();
    changes.poke();
    clock.advance(100);
    expect(notices()).toBe(before + 1);
  });

  it('tells what is owed when it is closed, and nothing after', () => {
    const { clock, changes, notices } = make();
    changes.poke();
    changes.poke();
    changes.close();
    expect(notices()).toBe(2);
    changes.poke();
    clock.advance(1000);
    expect({ notices: notices(), timers: clock.pending }).toEqual({ notices: 2, timers: 0 });
  });
});
