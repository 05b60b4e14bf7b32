// Serves the built page and its assets, with the headers that keep everything else out of it.
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import path from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
};

/** Content type by file name; bytes of no known kind are never run. */
export function contentType(file: string): string {
  return TYPES[path.extname(file).toLowerCase()] ?? 'application/octet-stream';
}

/** The content policy of our pages. xterm writes style elements, hence 'unsafe-inline' for styles alone. */
export function contentPolicy(connectTo: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${["'self'", ...connectTo].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Headers of every answer of ours. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
};

/** The path of an asset below the folder of the build; undefined when the request asks for anything else. */
export function assetPath(pathname: string): string | undefined {
  // The page's addresses are relative, so below /session/ they ask for /session/assets/.
  return /^(?:\/session)?\/(assets\/[A-Za-z0-9_][A-Za-z0-9._-]*)$/.exec(pathname)?.[1];
}

/** Sends an asset; false when there is no such file. Names hold a hash of the content, so it is kept for good. */
export async function sendAsset(response: ServerResponse, assetsDir: string, asset: string): Promise<boolean> {
  const bytes = await readIfThere(path.join(assetsDir, asset));
  if (bytes === undefined) return false;
  response.writeHead(200, {
    'Content-Type': contentType(asset),
    'Content-Length': bytes.byteLength,
    'Cache-Control': 'public, max-age=31536000, immutable',
  });
  response.end(bytes);
  return true;
}

/** Sends the page, with 401 when the browser has no access yet: the page then offers the way in. */
export async function sendPage(
  response: ServerResponse,
  page: { readonly assetsDir: string; readonly host: string; readonly status: 200 | 401 },
): Promise<void> {
  const bytes = await readIfThere(path.join(page.assetsDir, 'monitor.html'));
  if (bytes === undefined) {
    response.writeHead(503, { 'Content-Type': TYPES['.txt'] });
    response.end('The monitor page is not built. Run: npm run build\n');
    return;
  }
  response.writeHead(page.status, {
    'Content-Type': TYPES['.html'],
    'Content-Length': bytes.byteLength,
    'Cache-Control': 'no-store',
    'Content-Security-Policy': contentPolicy([`ws://${page.host}`, `wss://${page.host}`]),
    ...(page.status === 401 ? { 'WWW-Authenticate': 'Bearer realm="Patchbay"' } : {}),
  });
  response.end(bytes);
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch {
    // Not there or not readable is the same answer for a browser.
    return undefined;
  }
}
