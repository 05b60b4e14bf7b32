// Ends a headless Patchbay that nobody asked for by hand, when nobody has used it for a while.

/** What counts as use. */
export interface Usage {
  readonly clients: number;
  readonly sessions: number;
  readonly views: number;
}

/** How often use is looked at: a tenth of the limit, within these bounds. */
const LOOK_MIN_MS = 50;
const LOOK_MAX_MS = 5_000;

/** Calls `onIdle` once when nothing was in use for `limitMs`. Returns what stops the watch. */
export function watchIdle(limitMs: number, usage: () => Usage, onIdle: () => void): () => void {
  let idleSince = performance.now();
  const look = (): void => {
    const { clients, sessions, views } = usage();
    if (clients + sessions + views > 0) idleSince = performance.now();
    if (performance.now() - idleSince < limitMs) return;
    clearInterval(timer);
    onIdle();
  };
  const timer = setInterval(look, Math.min(LOOK_MAX_MS, Math.max(LOOK_MIN_MS, limitMs / 10)));
  return () => clearInterval(timer);
}
