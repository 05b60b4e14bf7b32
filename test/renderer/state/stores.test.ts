import { describe, expect, it } from 'vitest';
import { commandsOf, withCommands, withoutSessionCommands } from '../../../src-renderer/state/commands-store.ts';
import {
  allSessions,
  filterSessions,
  withSession,
  withoutSession,
} from '../../../src-renderer/state/sessions-store.ts';
import { createUiStore, laneOf, withDraft, withLane } from '../../../src-renderer/state/ui-store.ts';
import { commandView, sessionView } from '../../support/scenes.ts';

const names = (sessions: Iterable<{ readonly name: string }>): string[] => [...sessions].map(({ name }) => name);

describe('sessions', () => {
  it('keep their place in the list when they change', () => {
    const state = allSessions([sessionView({ name: 'a' }), sessionView({ name: 'b' })]);
    const changed = withSession(state, sessionView({ name: 'a', busy: true }));
    expect(names(changed.byName.values())).toEqual(['a', 'b']);
    expect(changed.byName.get('a')?.busy).toBe(true);
    expect(names(withoutSession(changed, 'a').byName.values())).toEqual(['b']);
  });

  it('are found by every word of a filter, in name, host, client or running command', () => {
    const running = commandView({ command: 'journalctl -fu nginx' });
    const sessions = [
      sessionView({ name: 'web-1', running }),
      sessionView({ name: 'web-2', host: 'edge.example.com' }),
      sessionView({
        name: 'db',
        lease: {
          holder: 'agent',
          client: { kind: 'client', id: '1', name: 'Claude Code', version: '1' },
          since: 0,
        },
      }),
    ];
    const found = (filter: string): string[] => names(filterSessions(sessions, filter));
    expect(found('')).toEqual(['web-1', 'web-2', 'db']);
    expect(found('web NGINX')).toEqual(['web-1']);
    expect(found('edge')).toEqual(['web-2']);
    expect(found('claude')).toEqual(['db']);
    expect(found('nothing')).toEqual([]);
  });
});

describe('commands', () => {
  it('are replaced by id and listed oldest first', () => {
    const late = commandView({ command: 'late', queuedAt: 20 });
    const early = commandView({ command: 'early', queuedAt: 10, status: 'running' });
    const state = withCommands({ byId: new Map() }, [late, early]);
    const after = withCommands(state, [{ ...early, status: 'exited' }]);
    expect(commandsOf(after, 'web-1').map(({ command, status }) => [command, status])).toEqual([
      ['early', 'exited'],
      ['late', 'exited'],
    ]);
    expect(withoutSessionCommands(after, 'web-1').byId.size).toBe(0);
  });

  it('are forgotten, oldest first, beyond five thousand', () => {
    const many = Array.from({ length: 5003 }, (_, index) => ({
      ...commandView({ command: 'x' }),
      commandId: `c-${index}`,
    }));
    const { byId } = withCommands({ byId: new Map() }, many);
    expect([byId.size, byId.has('c-2'), byId.has('c-3')]).toEqual([5000, false, true]);
  });
});

describe('what a view looks at', () => {
  it('shows the terminal where there is no POSIX shell, until the person chooses', () => {
    const ui = createUiStore(null);
    const device = { name: 'r1', kind: 'device' };
    expect(laneOf(ui.getState(), device)).toBe('terminal');
    expect(laneOf(ui.getState(), { name: 'web', kind: 'posix' })).toBe('commands');
    ui.setState((state) => withLane(state, 'web', 'terminal'));
    expect(laneOf(ui.getState(), { name: 'web', kind: 'posix' })).toBe('terminal');
  });

  it('keeps typed texts until they are used', () => {
    const ui = createUiStore(null);
    ui.setState((state) => withDraft(state, 'note/web', 'half a'));
    expect(ui.getState().drafts.get('note/web')).toBe('half a');
    ui.setState((state) => withDraft(state, 'note/web', ''));
    expect(ui.getState().drafts.size).toBe(0);
  });
});
