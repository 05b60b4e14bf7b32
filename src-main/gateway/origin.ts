// Decides by Host and Origin whether a request may reach the local server at all, so that no web page can drive it.
import type { IncomingHttpHeaders } from 'node:http';

/** Why a request is refused before any work; undefined when it may pass. */
export type Refusal = 'foreign host' | 'foreign origin';

/**
 * Checks one request. Passes: a loopback name or one of `allowedHosts` as Host, and an Origin that is absent or this very
 * address. `Origin: null` (a sandboxed frame, a local file) is foreign.
 */
export function refusalOf(headers: IncomingHttpHeaders, allowedHosts: readonly string[]): Refusal | undefined {
  const host = headers.host;
  if (host === undefined || !isOwnName(nameOf(host), allowedHosts)) return 'foreign host';
  const origin = headers.origin;
  if (origin === undefined) return undefined;
  return isOrigin(origin, host) ? undefined : 'foreign origin';
}

/** The name in a Host header, lower case, without port and brackets; empty when it is no valid one. */
function nameOf(host: string): string {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(host);
  return (match?.[1] ?? match?.[2] ?? '').toLowerCase().replace(/\.$/, '');
}

function isOwnName(name: string, allowedHosts: readonly string[]): boolean {
  return isLoopbackName(name) || (name !== '' && allowedHosts.some((allowed) => allowed.toLowerCase() === name));
}

/** True for names that always mean this computer. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}

/** Behind a TLS proxy the scheme is https, so only host and port have to be the same. */
function isOrigin(origin: string, host: string): boolean {
  const match = /^https?:\/\/([^/]+)$/i.exec(origin);
  return match?.[1] !== undefined && match[1].toLowerCase() === host.toLowerCase();
}

/** The target of a request as an address; undefined unless it is a plain path, because another form brings its own host. */
export function parseTarget(target: string | undefined): URL | undefined {
  const address = `http://localhost${target ?? ''}`;
  return target?.startsWith('/') && URL.canParse(address) ? new URL(address) : undefined;
}
