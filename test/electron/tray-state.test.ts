// Which jack the tray shows, and the line beside it.
import { expect, it } from 'vitest';
import { jackOf, tooltipOf } from '../../src-main/electron/tray-state.ts';

type Holder = 'idle' | 'agent' | 'person' | 'paused';
const held = (...holders: Holder[]) => holders.map((holder) => ({ lease: { holder, client: null, since: 0 } }));

it('shows the person before an assistant, and a pause before both', () => {
  expect(jackOf({ sessions: [], pause: 'off' })).toBe('idle');
  expect(jackOf({ sessions: held('idle', 'agent'), pause: 'off' })).toBe('agent');
  expect(jackOf({ sessions: held('agent', 'person', 'idle'), pause: 'off' })).toBe('you');
  expect(jackOf({ sessions: held('agent', 'person'), pause: 'input' })).toBe('paused');
  expect(jackOf({ sessions: [], pause: 'all' })).toBe('paused');
});

it('counts the sessions in words', () => {
  expect(tooltipOf({ sessions: [], pause: 'off' })).toBe('Patchbay: 0 sessions');
  expect(tooltipOf({ sessions: held('idle'), pause: 'off' })).toBe('Patchbay: 1 session');
  expect(tooltipOf({ sessions: held('idle', 'agent'), pause: 'all' })).toBe('Patchbay: assistants paused, 2 sessions');
});
