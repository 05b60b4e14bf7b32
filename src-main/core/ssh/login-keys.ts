// Gathers what a login can offer, before anything is sent: keys from files, keys of the agent, the password.
import fs from 'node:fs/promises';
import { AppError, appError } from '../../../src-shared/errors.ts';
import type { AgentKey } from './agent.ts';
import { agentKeys } from './agent.ts';
import type { Attempt } from './attempt.ts';
import type { LoadedKey } from './key-file.ts';
import { expandPath, loadKeyFile } from './key-file.ts';
import type { ConnectTarget, Credentials } from './port.ts';

/** A key to offer, wherever it lives. */
export type OfferedKey =
  { readonly from: 'file'; readonly key: LoadedKey } | { readonly from: 'agent'; readonly key: AgentKey };

/** Everything a login can offer. */
export interface LoginOffer {
  /** In the order in which they are tried. */
  readonly keys: readonly OfferedKey[];
  readonly password: string | undefined;
  /** Why something that was asked for is missing, for the error if the login fails. */
  readonly notes: readonly string[];
}

/** Rejects with AUTHENTICATION_FAILED when a named key cannot be used, or nothing is left to log in with. */
export async function gatherLogin(target: ConnectTarget, attempt: Attempt): Promise<LoginOffer> {
  const { credentials } = target;
  const [files, agent] = await Promise.all([
    fileKeys(target, attempt),
    credentials.agent === true ? agentKeys() : undefined,
  ]);
  const notes = agent === 'not_running' || agent === 'empty' ? [AGENT_NOTES[agent]] : [];
  const fromAgent = Array.isArray(agent) ? sortAgentKeys(agent, await publicHalves(target.identityFiles)) : [];
  const keys: OfferedKey[] = files.map((key) => ({ from: 'file', key }));
  for (const key of fromAgent) {
    if (!keys.some((other) => other.key.publicBlob.equals(key.publicBlob))) keys.push({ from: 'agent', key });
  }
  if (keys.length === 0 && credentials.password === undefined) {
    throw nothingToOffer(agent === 'not_running' || agent === 'empty' ? agent : undefined);
  }
  return { keys, password: credentials.password, notes };
}

const AGENT_NOTES = {
  not_running: 'no SSH agent is running',
  empty: 'the SSH agent holds no usable key',
} as const;

function nothingToOffer(agent: keyof typeof AGENT_NOTES | undefined): AppError {
  if (agent === undefined) {
    return appError('AUTHENTICATION_FAILED', {
      message: 'There is nothing to log in with: no key, password or agent was given',
      hint: 'Give credentials: keyFile, password or agent.',
      details: { reason: 'no_credentials' },
    });
  }
  return appError('AUTHENTICATION_FAILED', {
    message: `The agent cannot be used: ${AGENT_NOTES[agent]}`,
    hint:
      agent === 'empty'
        ? 'The person adds a key with ssh-add, or give keyFile or password.'
        : 'Start Patchbay where SSH_AUTH_SOCK is set, or give keyFile or password.',
    details: { reason: agent === 'empty' ? 'agent_empty' : 'agent_unavailable' },
  });
}

async function fileKeys(target: ConnectTarget, attempt: Attempt): Promise<readonly LoadedKey[]> {
  const { credentials, identityFiles } = target;
  if (credentials.keyFile !== undefined) return [await loadOnce(credentials.keyFile, credentials, attempt)];
  if (credentials.password !== undefined || credentials.agent === true) return [];
  return loadIdentities(identityFiles, credentials, attempt);
}

/** As ssh does, identities that cannot be loaded are passed over, unless none can. */
async function loadIdentities(
  files: readonly string[],
  credentials: Credentials,
  attempt: Attempt,
): Promise<readonly LoadedKey[]> {
  const results = await Promise.allSettled(files.map((file) => loadOnce(file, credentials, attempt)));
  const keys = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const faults = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  if (keys.length > 0 || faults.length === 0) return keys;
  // A key that needs a passphrase says more than a file that is not there.
  const exists = (fault: unknown): boolean => fault instanceof AppError && fault.details['reason'] !== 'key_missing';
  throw faults.find(exists) ?? faults[0];
}

const unlocked = new WeakMap<Credentials, Map<string, { readonly stamp: string; readonly key: LoadedKey }>>();

/** Keeps an unlocked key as long as its credentials live, so that a reconnect need not unlock it again. */
async function loadOnce(file: string, credentials: Credentials, attempt: Attempt): Promise<LoadedKey> {
  const stamp = await stampOf(file);
  const known = unlocked.get(credentials) ?? new Map<string, { stamp: string; key: LoadedKey }>();
  const before = known.get(file);
  if (before !== undefined && before.stamp === stamp) return before.key;
  const key = await loadKeyFile(file, credentials.passphrase, attempt);
  known.set(file, { stamp, key });
  unlocked.set(credentials, known);
  return key;
}

async function stampOf(file: string): Promise<string> {
  try {
    const { mtimeMs, size, ino } = await fs.stat(expandPath(file));
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    // Loading it will say what is wrong.
    return '';
  }
}

/** Public halves beside the named key files: the agent may hold the key of a file that is locked or not even there. */
async function publicHalves(files: readonly string[]): Promise<readonly string[]> {
  const read = (file: string): Promise<string> => fs.readFile(`${expandPath(file)}.pub`, 'utf8').catch(() => '');
  const texts = await Promise.all(files.map(read));
  return texts.flatMap((text) => text.split(' ')[1] ?? []);
}

function sortAgentKeys(keys: readonly AgentKey[], named: readonly string[]): readonly AgentKey[] {
  const isNamed = (key: AgentKey): boolean => named.includes(key.publicBlob.toString('base64'));
  return [...keys.filter(isNamed), ...keys.filter((key) => !isNamed(key))];
}
