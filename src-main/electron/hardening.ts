// Refuses what the window's page never needs: other pages, other windows, webviews, permissions.
import { app, session } from 'electron';
import type { WebContents } from 'electron';

/** What is allowed nevertheless. */
export interface Allowed {
  /** Address of our own page; it may load itself anew. */
  readonly page: string;
  /** The page wants this address in a window of its own; it never gets one, but a browser may be opened. */
  readonly openOutside: (url: string) => void;
}

/** Copying is the one thing that a page has to ask for and that we grant. */
const GRANTED = 'clipboard-sanitized-write';

/** Hardens every page of the app. Call it when the app is ready, before the first window. */
export function harden(allowed: Allowed): void {
  app.on('web-contents-created', (_event, contents) => hardenContents(contents, allowed));
  const ours = originOf(allowed.page);
  const fromOurPage = (url: string) => originOf(url) === ours;
  session.defaultSession.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) =>
    answer(permission === GRANTED && fromOurPage(requestingUrl)),
  );
  session.defaultSession.setPermissionCheckHandler(
    (_contents, permission, origin) => permission === GRANTED && fromOurPage(origin),
  );
  session.defaultSession.setDevicePermissionHandler(() => false);
}

/** `new URL().origin` is "null" for schemes of our own. */
function originOf(address: string): string {
  if (!URL.canParse(address)) return '';
  const { protocol, host } = new URL(address);
  return `${protocol}//${host}`;
}

function hardenContents(contents: WebContents, { page, openOutside }: Allowed): void {
  contents.on('will-navigate', (event) => {
    if (event.url !== page) event.preventDefault();
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame || event.url !== page) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    openOutside(url);
    return { action: 'deny' };
  });
}
