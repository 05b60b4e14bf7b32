// What known_hosts says about one host, and how a newly trusted key gets into our own file.
import fs from 'node:fs/promises';
import path from 'node:path';
import { appError } from '../../../src-shared/errors.ts';
import type { KnownHostsLine } from './known-hosts-file.ts';
import { fingerprintOf, knownHostsName, namesHost, readKnownHosts } from './known-hosts-file.ts';

/** What the files say about a key. */
export type Verdict =
  | { readonly status: 'known' }
  | { readonly status: 'unknown' }
  | {
      readonly status: 'changed' | 'revoked';
      /** The line that speaks against the key. */
      readonly line: KnownHostsLine;
      readonly fingerprintOnFile: string;
    };

/** The lines about one host. */
export interface HostKeyBook {
  /** Types of the keys on file, to be asked for first. */
  readonly keyTypes: readonly string[];
  judge(keyType: string, key: Uint8Array): Verdict;
  /** Adds a key that was unknown to the last file; rejects with STORAGE_ERROR. */
  trust(keyType: string, key: Uint8Array): Promise<void>;
}

/** Reads the files and keeps what concerns this host; rejects with STORAGE_ERROR when one cannot be read. */
export async function openHostKeyBook(files: readonly string[], host: string, port: number): Promise<HostKeyBook> {
  const all = await readAll(files);
  const name = knownHostsName(host, port);
  const lines = all.filter(({ hosts }) => namesHost(hosts, name));
  // As OpenSSH does: a key on file under the bare name is good for any port, but never speaks against a key.
  const bare = knownHostsName(host, 22);
  const bareLines = name === bare ? [] : all.filter(({ hosts }) => namesHost(hosts, bare));
  const ours = files.at(-1);
  return {
    keyTypes: [...lines, ...bareLines].filter(({ revoked }) => !revoked).map(({ keyType }) => keyType),
    judge: (keyType, key) => judge({ lines, bareLines, keyType, key: Buffer.from(key).toString('base64') }),
    trust: async (keyType, key) => {
      if (ours === undefined) return;
      await append(ours, `${name} ${keyType} ${Buffer.from(key).toString('base64')}\n`);
    },
  };
}

async function readAll(files: readonly string[]): Promise<readonly KnownHostsLine[]> {
  try {
    return await readKnownHosts(files);
  } catch (error) {
    throw appError('STORAGE_ERROR', {
      message: 'The file of known host keys cannot be read',
      hint: `Make ${files.join(' and ')} readable for Patchbay.`,
      details: { reason: 'known_hosts_unreadable', files },
      cause: error,
    });
  }
}

interface Evidence {
  readonly lines: readonly KnownHostsLine[];
  readonly bareLines: readonly KnownHostsLine[];
  readonly keyType: string;
  readonly key: string;
}

function judge({ lines, bareLines, keyType, key }: Evidence): Verdict {
  const against = (status: 'changed' | 'revoked', line: KnownHostsLine): Verdict => ({
    status,
    line,
    fingerprintOnFile: fingerprintOf(Buffer.from(line.key, 'base64')),
  });
  const revoked = [...lines, ...bareLines].find((line) => line.revoked && line.key === key);
  if (revoked !== undefined) return against('revoked', revoked);
  const good = lines.filter((line) => !line.revoked);
  if ([...good, ...bareLines].some((line) => line.key === key)) return { status: 'known' };
  // The types on file were asked for first: a host that shows another type no longer has the key we know it by.
  const other = good.find((line) => line.keyType === keyType) ?? good[0];
  return other === undefined ? { status: 'unknown' } : against('changed', other);
}

const appending = new Map<string, Promise<void>>();

/** Adds one line, one after another for each file, and only once. */
async function append(file: string, line: string): Promise<void> {
  const before = appending.get(file) ?? Promise.resolve();
  // The fault of another append is its own caller's business.
  const now = before.catch(() => undefined).then(() => appendLine(file, line));
  appending.set(file, now);
  try {
    await now;
  } catch (error) {
    throw appError('STORAGE_ERROR', {
      message: 'The trusted host key could not be written to the file of known host keys',
      hint: `Make ${file} writable for Patchbay.`,
      details: { reason: 'known_hosts_unwritable', file },
      cause: error,
    });
  } finally {
    if (appending.get(file) === now) appending.delete(file);
  }
}

async function appendLine(file: string, line: string): Promise<void> {
  await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const handle = await fs.open(file, 'a+', 0o600);
  try {
    const text = await handle.readFile('utf8');
    if (`\n${text}`.includes(`\n${line}`)) return;
    // A file edited by hand may lack its last line end.
    const start = text === '' || text.endsWith('\n') ? '' : '\n';
    await handle.appendFile(start + line);
  } finally {
    await handle.close();
  }
}
