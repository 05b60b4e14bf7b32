// Serves the window's page under app://patchbay/, from the build's folder and from nowhere else.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { protocol } from 'electron';
import { assetPath, contentPolicy, contentType } from '../gateway/pages.ts';

const SCHEME = 'app';

/** Origin of the window's page. */
export const APP_ORIGIN = `${SCHEME}://patchbay`;

/** Address of the window's page. */
export const APP_PAGE = `${APP_ORIGIN}/window.html`;

/** Makes the scheme a standard, secure one. Call it before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Answers requests for the page and its assets from `folder`. */
export function serveAppPage(folder: string): void {
  protocol.handle(SCHEME, async (request) => {
    const file = fileOf(request);
    if (file === undefined) return new Response('There is nothing here', { status: 404 });
    try {
      return new Response(await readFile(path.join(folder, file)), { headers: headersOf(file) });
    } catch {
      // The build lacks it; the page says so by staying empty, the log by `did-fail-load`.
      return new Response('This file is not there', { status: 404 });
    }
  });
}

function fileOf(request: Request): string | undefined {
  const url = new URL(request.url);
  if (request.method !== 'GET' || `${url.protocol}//${url.host}` !== APP_ORIGIN) return undefined;
  return url.pathname === '/window.html' ? 'window.html' : assetPath(url.pathname);
}

function headersOf(file: string): Record<string, string> {
  return {
    'Content-Type': contentType(file),
    'Content-Security-Policy': contentPolicy([]),
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Opener-Policy': 'same-origin',
  };
}
