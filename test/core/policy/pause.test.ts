// What the pause switch tells and refuses in each of its states.
import { describe, expect, it } from 'vitest';
import type { Actor, PauseState } from '../../../src-shared/model/index.ts';
import { createPause } from '../../../src-main/core/policy/pause.ts';

const person: Actor = { kind: 'person', id: 'p', view: 'tray' };

function make() {
  const told: string[] = [];
  const pause = createPause({
    onChange: (state) => told.push(state),
    cancelForAssistants: async () => void told.push('cancelled'),
  });
  return { pause, told };
}

const table: Record<PauseState, Record<PauseState, string[]>> = {
  off: { off: [], input: ['input'], all: ['all', 'cancelled'] },
  input: { off: ['off'], input: [], all: ['all', 'cancelled'] },
  all: { off: ['off'], input: ['input'], all: ['cancelled'] },
};

describe('pause', () => {
  for (const [from, row] of Object.entries(table) as [PauseState, Record<PauseState, string[]>][]) {
    for (const [to, wanted] of Object.entries(row) as [PauseState, string[]][]) {
      it(`tells ${wanted.join(' and ') || 'nothing'} when it goes from ${from} to ${to}`, async () => {
        const { pause, told } = make();
        await pause.set(from, person);
        told.length = 0;
        await pause.set(to, person);
        expect({ told, state: pause.state }).toEqual({ told: wanted, state: to });
      });
    }
  }

  it('lets assistants type only while it is off', async () => {
    const { pause } = make();
    expect(() => pause.check()).not.toThrow();
    for (const state of ['input', 'all'] as const) {
      await pause.set(state, person);
      expect(() => pause.check()).toThrow('paused all assistants');
    }
    await pause.set('off', person);
    expect(() => pause.check()).not.toThrow();
  });
});
