// Takes the host apart as people and models write it: blanks, brackets, user@host:port, ssh://.
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { appError } from '../../../src-shared/errors.ts';

/** The parts of a host argument; what was not written is undefined. */
export interface HostForm {
  readonly host: string;
  readonly port: number | undefined;
  readonly username: string | undefined;
}

const PORT_MAX = 65_535;
/** Longest host name, RFC 1035 section 2.3.4. */
const NAME_MAX = 253;

/** Throws INVALID_PARAMS, naming `host` and showing what was given, when no host can be read from it. */
export function parseHost(given: string): HostForm {
  const text = given
    .trim()
    .replace(/^ssh:\/\//i, '')
    .replace(/\/$/, '');
  const at = text.lastIndexOf('@');
  const username = at > 0 ? text.slice(0, at) : undefined;
  const { host, port } = splitPort(text.slice(at + 1), given);
  if (host === '' || at === 0 || /[\s\p{Cc}\p{Cf}@/[\]]/u.test(host)) throw badHost(given);
  return { host, port, username };
}

/** Throws INVALID_PARAMS when this, which is no alias (any more), can be neither a host name nor an address. */
export function requireHost(host: string): void {
  if (isIP(host) !== 0) return;
  const labels = domainToASCII(host).replace(/\.$/, '').split('.');
  const wellFormed = labels.every((label) => /^\w([\w-]{0,61}\w)?$/.test(label));
  // A name that ends in a number is an address that is not right, such as 999.1.1.1; resolvers would guess.
  if (!wellFormed || host.length > NAME_MAX || /^\d+$/.test(labels.at(-1) ?? '')) throw badHost(host);
}

function splitPort(text: string, given: string): { host: string; port: number | undefined } {
  const bracketed = /^\[([^\]]*)\](?::(.*))?$/.exec(text);
  if (bracketed !== null) return { host: bracketed[1] ?? '', port: toPort(bracketed[2], given) };
  const parts = text.split(':');
  // More than one colon without brackets is a bare IPv6 address.
  if (parts.length !== 2) return { host: text, port: undefined };
  return { host: parts[0] ?? '', port: toPort(parts[1], given) };
}

function toPort(text: string | undefined, given: string): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > PORT_MAX) throw badHost(given);
  return port;
}

function badHost(given: string): Error {
  return appError('INVALID_PARAMS', {
    message: `host is not a host name, an address or an alias: ${JSON.stringify(given.slice(0, 200))}`,
    hint: 'Give the name or address alone, and port and credentials.username as arguments of their own.',
    details: { reason: 'bad_host', argument: 'host' },
  });
}
