// Lets tests read what terminals show. There is none in an ordinary window or browser.

/** Reads of the panes that are on screen, by session and lane. */
export interface TestHandle {
  text(session: string, lane: 'commands' | 'terminal'): string | undefined;
  panes(): readonly string[];
}

const panes = new Map<string, () => string>();

/** A browser under automation says so; the window is told by the main process, which alone chooses its address. */
function underTest(): boolean {
  if (navigator.webdriver) return true;
  return location.protocol === 'app:' && new URLSearchParams(location.search).has('test');
}

/** Announces a pane; returns the way to take it back. */
export function exposePane(session: string, lane: 'commands' | 'terminal', read: () => string): () => void {
  const key = `${session}/${lane}`;
  panes.set(key, read);
  return () => {
    if (panes.get(key) === read) panes.delete(key);
  };
}

/** Puts the handle on the page, when it is under test. */
export function exposeTestHandle(): void {
  if (!underTest()) return;
  const handle: TestHandle = {
    text: (session, lane) => panes.get(`${session}/${lane}`)?.(),
    panes: () => [...panes.keys()],
  };
  Object.defineProperty(window, '__patchbayTest', { value: handle });
}
