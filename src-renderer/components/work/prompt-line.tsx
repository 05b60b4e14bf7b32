// The line at the foot of the Commands pane, where the person who drives runs commands of their own.
import { useEffect, useRef } from 'react';
import type { KeyboardEvent } from 'react';
import type { SessionView } from '../../../src-shared/model/index.ts';
import { hasKeys, shortcutText } from '../../commands/shortcut.ts';
import { mayOperate } from '../../state/app-store.ts';
import { commandsOf } from '../../state/commands-store.ts';
import { useApp, usePatchbay, useUi } from '../../state/context.ts';
import { withDraft } from '../../state/ui-store.ts';
import { CommandButton } from '../controls/button.tsx';

function hintFor(session: SessionView, operator: boolean): string {
  if (session.status !== 'connected') return 'This session is not connected. Output so far stays readable.';
  if (!operator) return 'You are watching. To type here, open this page with the operator token.';
  const key = hasKeys() ? ` (${shortcutText({ key: 'F8' })})` : '';
  return `Take over${key} to run a command in this shell or to type in Terminal.`;
}

/** Own commands, newest last, for going back through them. */
function useHistory(session: string) {
  const { stores } = usePatchbay();
  const at = useRef(0);
  return {
    reset: (): void => {
      at.current = 0;
    },
    step: (by: 1 | -1): string | undefined => {
      const own = commandsOf(stores.commands.getState(), session).filter(({ actor }) => actor.kind === 'person');
      const next = Math.min(own.length, Math.max(0, at.current + by));
      if (next === at.current) return undefined;
      at.current = next;
      return next === 0 ? '' : (own.at(-next)?.command ?? '');
    },
  };
}

/** Who has just taken over types here next; whoever is busy in a field elsewhere is left alone. */
function useFocusAfterTaking() {
  const input = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const { activeElement } = document;
    const free = activeElement === null || activeElement === document.body;
    if (free || activeElement.closest('.work') !== null) input.current?.focus();
  }, []);
  return input;
}

function PromptInput({ session }: { readonly session: SessionView }) {
  const { stores, link, attempt } = usePatchbay();
  const key = `prompt/${session.name}`;
  const text = useUi((ui) => ui.drafts.get(key) ?? '');
  const history = useHistory(session.name);
  const input = useFocusAfterTaking();
  const set = (next: string): void => stores.ui.setState((ui) => withDraft(ui, key, next));
  const run = (): void => {
    if (text.trim() === '') return;
    set('');
    history.reset();
    attempt(
      link.call('command.run', { session: session.name, command: text }).catch((error: unknown) => {
        set(text);
        throw error;
      }),
    );
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    const oneLine = !text.includes('\n');
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      run();
    } else if (oneLine && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      const earlier = history.step(event.key === 'ArrowUp' ? 1 : -1);
      if (earlier === undefined) return;
      event.preventDefault();
      set(earlier);
    }
  };
  return (
    <textarea
      ref={input}
      className="mono"
      rows={Math.min(8, text.split('\n').length)}
      aria-label={`Run a command on ${session.name}`}
      placeholder={`Run a command on ${session.name}`}
      value={text}
      spellCheck={false}
      autoCapitalize="off"
      autoComplete="off"
      data-area-focus
      onChange={(event) => set(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}

/** The line: an input while the person drives, else what to do to get one. */
export function PromptLine({ session }: { readonly session: SessionView }) {
  const operator = useApp(mayOperate);
  const drives = operator && session.lease.holder === 'person' && session.status === 'connected';
  if (!drives) return <div className="prompt quiet">{hintFor(session, operator)}</div>;
  return (
    <div className="prompt driving">
      <span className="mono tone-you" aria-hidden>
        $
      </span>
      <PromptInput session={session} />
      <CommandButton id="command.cancel" short="Cancel" withKey />
    </div>
  );
}
