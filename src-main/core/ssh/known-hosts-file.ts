// Reads OpenSSH's known_hosts format and finds the lines that speak about a host.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import fs from 'node:fs/promises';
import { matchesPattern } from './pattern.ts';

/** One usable line. Lines of certificate authorities and lines that make no sense are left out. */
export interface KnownHostsLine {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly hosts: string;
  readonly keyType: string;
  /** Base64 of the key blob. */
  readonly key: string;
  readonly revoked: boolean;
}

const DEFAULT_PORT = 22;

/** All usable lines of the files that exist, in order. A file that cannot be read is an error; one that is missing is not. */
export async function readKnownHosts(files: readonly string[]): Promise<readonly KnownHostsLine[]> {
  const texts = await Promise.all(files.map(readIfThere));
  return files.flatMap((file, index) => parseKnownHosts(texts[index] ?? '', file));
}

/** The usable lines of one file's text. */
export function parseKnownHosts(text: string, file: string): readonly KnownHostsLine[] {
  return text.split('\n').flatMap((line, index) => parseLine(line, file, index + 1));
}

/** The name under which a host stands in known_hosts: with brackets and port unless the port is 22. */
export function knownHostsName(host: string, port: number): string {
  const name = host.toLowerCase();
  return port === DEFAULT_PORT ? name : `[${name}]:${port}`;
}

/** Whether a line's host field, plain or hashed, names this host. */
export function namesHost(hosts: string, name: string): boolean {
  if (hosts.startsWith('|1|')) return matchesHash(hosts, name);
  const patterns = hosts.split(',').map((pattern) => pattern.toLowerCase());
  const hit = (pattern: string): boolean => matchesPattern(pattern, name);
  if (patterns.some((pattern) => pattern.startsWith('!') && hit(pattern.slice(1)))) return false;
  return patterns.some((pattern) => !pattern.startsWith('!') && hit(pattern));
}

/** `SHA256:` and the unpadded base64 of the digest, as ssh-keygen -l shows it. */
export function fingerprintOf(key: Uint8Array): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

async function readIfThere(file: string): Promise<string> {
  try {
    return await fs.readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

function parseLine(text: string, file: string, line: number): readonly KnownHostsLine[] {
  const words = text.trim().split(/\s+/);
  const marker = words[0]?.startsWith('@') === true ? words.shift() : undefined;
  const [hosts, keyType, key] = words;
  if (marker !== undefined && marker !== '@revoked') return [];
  if (hosts === undefined || hosts.startsWith('#') || keyType === undefined || key === undefined) return [];
  return [{ file, line, hosts, keyType, key, revoked: marker === '@revoked' }];
}

/** `|1|salt|hash`: HMAC-SHA1 of the name, both in base64. */
function matchesHash(hosts: string, name: string): boolean {
  const [, , salt = '', hash = ''] = hosts.split('|');
  const wanted = Buffer.from(hash, 'base64');
  const digest = createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest();
  return wanted.length === digest.length && timingSafeEqual(wanted, digest);
}
