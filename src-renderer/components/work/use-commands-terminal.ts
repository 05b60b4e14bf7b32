// Ties a Commands terminal to an element and to its stream, for as long as the pane is on screen.
import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { CommandsTerminal } from '../../terminal/commands-terminal.ts';
import { fontReady } from '../../terminal/options.ts';
import { exposePane } from '../../terminal/test-handle.ts';
import type { Patchbay } from '../../state/patchbay.ts';

function attach(patchbay: Patchbay, session: string, element: HTMLElement, terminal: CommandsTerminal): () => void {
  const { stores, link, panes } = patchbay;
  terminal.open(element, `Commands of ${session}`);
  const stream = link.streams.open({ session, lane: 'commands' }, terminal);
  const sizes = new ResizeObserver(() => terminal.fit());
  sizes.observe(element);
  const taste = stores.preferences.subscribe((preferences) => terminal.apply(preferences));
  const hide = exposePane(session, 'commands', () => terminal.text());
  panes.commands = terminal;
  return () => {
    hide();
    taste();
    sizes.disconnect();
    stream.close();
    if (panes.commands === terminal) panes.commands = null;
  };
}

/** The terminal of a session's Commands pane, or null until its font is there. */
export function useCommandsTerminal(
  patchbay: Patchbay,
  session: string,
): { readonly host: RefObject<HTMLDivElement | null>; readonly terminal: CommandsTerminal | null } {
  const host = useRef<HTMLDivElement>(null);
  const [terminal, setTerminal] = useState<CommandsTerminal | null>(null);
  useEffect(() => {
    let detach = (): void => undefined;
    let gone = false;
    void fontReady().then(() => {
      const element = host.current;
      if (gone || element === null) return;
      const made = new CommandsTerminal(patchbay.stores.preferences.getState());
      const stop = attach(patchbay, session, element, made);
      detach = () => {
        stop();
        made.dispose();
      };
      setTerminal(made);
    });
    return () => {
      gone = true;
      detach();
      setTerminal(null);
    };
  }, [patchbay, session]);
  return { host, terminal };
}
