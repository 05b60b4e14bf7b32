// Ties a Terminal pane's terminal to an element, its stream and its size, for as long as the pane is on screen.
import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { commandOfKey } from '../../commands/registry.ts';
import type { Patchbay } from '../../state/patchbay.ts';
import { sayDone, sayFault } from '../../state/toasts-store.ts';
import { fontReady } from '../../terminal/options.ts';
import { PtyTerminal } from '../../terminal/pty-terminal.ts';
import type { PtyHooks } from '../../terminal/pty-terminal.ts';
import { exposePane } from '../../terminal/test-handle.ts';
import { createTyping } from '../../terminal/typing.ts';

/** The window is still being dragged for this long after a change of its size. */
const SETTLE_MS = 120;

function hooksFor(patchbay: Patchbay, session: string): PtyHooks {
  const { link, stores } = patchbay;
  return {
    input: createTyping(link.call, session, (error) => sayFault(stores.toasts, error)),
    isShortcut: (event) => commandOfKey(patchbay, event, true) !== undefined,
    link: (address) => {
      navigator.clipboard.writeText(address).then(
        () => sayDone(stores.toasts, 'Link copied'),
        (error: unknown) => sayFault(stores.toasts, error),
      );
    },
  };
}

/** Tells the host the size of the pane, when the person drives it and the size is another. */
function keepFitted(patchbay: Patchbay, session: string, element: HTMLElement, terminal: PtyTerminal) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let driving = false;
  let told = '';
  const fit = (): void => {
    const size = terminal.wantedSize();
    const words = size === undefined ? '' : `${size.cols}x${size.rows}`;
    if (!driving || size === undefined || words === told) return;
    told = words;
    patchbay.attempt(patchbay.link.call('terminal.resize', { session, ...size }));
  };
  const observer = new ResizeObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(fit, SETTLE_MS);
  });
  observer.observe(element);
  return {
    drive: (now: boolean): void => {
      driving = now;
      told = '';
      fit();
    },
    stop: (): void => {
      clearTimeout(timer);
      observer.disconnect();
    },
  };
}

interface Attached {
  readonly terminal: PtyTerminal;
  drive(driving: boolean): void;
  detach(): void;
}

function attach(patchbay: Patchbay, session: string, element: HTMLElement): Attached {
  const { stores, link, panes } = patchbay;
  const terminal = new PtyTerminal(stores.preferences.getState(), hooksFor(patchbay, session));
  terminal.open(element, `Terminal of ${session}`);
  const fitting = keepFitted(patchbay, session, element, terminal);
  const stream = link.streams.open({ session, lane: 'terminal' }, terminal);
  const taste = stores.preferences.subscribe((preferences) => terminal.apply(preferences));
  const sizes = stores.terminalSizes.on((size) => {
    if (size.session === session) terminal.resize(size);
  });
  const hide = exposePane(session, 'terminal', () => terminal.text());
  panes.terminal = terminal;
  return {
    terminal,
    drive: (driving) => {
      terminal.drive(driving);
      fitting.drive(driving);
    },
    detach: () => {
      for (const stop of [hide, sizes, taste, () => stream.close(), fitting.stop]) stop();
      if (panes.terminal === terminal) panes.terminal = null;
      terminal.dispose();
    },
  };
}

/** The terminal of a session's Terminal pane, or null until its font is there. */
export function usePtyTerminal(
  patchbay: Patchbay,
  session: string,
  driving: boolean,
): { readonly host: RefObject<HTMLDivElement | null>; readonly terminal: PtyTerminal | null } {
  const host = useRef<HTMLDivElement>(null);
  const [attached, setAttached] = useState<Attached | null>(null);
  useEffect(() => {
    let made: Attached | null = null;
    let gone = false;
    void fontReady().then(() => {
      if (gone || host.current === null) return;
      made = attach(patchbay, session, host.current);
      setAttached(made);
    });
    return () => {
      gone = true;
      made?.detach();
      setAttached(null);
    };
  }, [patchbay, session]);
  useEffect(() => {
    attached?.drive(driving);
    if (driving) attached?.terminal.focus();
  }, [attached, driving]);
  return { host, terminal: attached?.terminal ?? null };
}
