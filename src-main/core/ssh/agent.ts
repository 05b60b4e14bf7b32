// The keys of the running SSH agent, each usable alone, so that the login decides which is offered when.
import type { BaseAgent, ParsedKey, SignCallback, SigningRequestOptions } from 'ssh2';
import ssh2 from 'ssh2';
import { fingerprintOf } from './known-hosts-file.ts';

/** A key the agent holds. */
export interface AgentKey {
  /** An agent that has only this key. */
  readonly agent: BaseAgent<ParsedKey>;
  readonly publicBlob: Buffer;
  readonly fingerprint: string;
}

/** Why there are no keys. */
export type AgentFault = 'not_running' | 'empty';

const AGENT_MS = 5000;

/** Where the agent listens; undefined when this account has none. Windows has a fixed pipe. */
function agentAddress(): string | undefined {
  const address = process.env['SSH_AUTH_SOCK'];
  if (address !== undefined && address !== '') return address;
  return process.platform === 'win32' ? String.raw`\\.\pipe\openssh-ssh-agent` : undefined;
}

/** Never rejects. */
export async function agentKeys(): Promise<readonly AgentKey[] | AgentFault> {
  const address = agentAddress();
  if (address === undefined) return 'not_running';
  const agent = ssh2.createAgent(address);
  const found = await identities(agent);
  if (found === null) return 'not_running';
  const keys = found.map((key) => onlyKey(agent, key)).filter((key) => key !== null);
  return keys.length === 0 ? 'empty' : keys;
}

function identities(agent: BaseAgent): Promise<readonly unknown[] | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), AGENT_MS);
    agent.getIdentities((error, keys) => {
      clearTimeout(timer);
      resolve(error instanceof Error || keys === undefined ? null : keys);
    });
  });
}

function onlyKey(agent: BaseAgent, identity: unknown): AgentKey | null {
  const key = parsed(identity);
  // A kind of key that ssh2 does not know, such as a certificate, cannot be used.
  if (key === null) return null;
  const publicBlob = key.getPublicSSH();
  return { agent: new OneKeyAgent(agent, key), publicBlob, fingerprint: fingerprintOf(publicBlob) };
}

function parsed(identity: unknown): ParsedKey | null {
  if (Buffer.isBuffer(identity) || typeof identity === 'string') {
    const key = ssh2.utils.parseKey(identity);
    return key instanceof Error ? null : key;
  }
  return isParsedKey(identity) ? identity : null;
}

function isParsedKey(identity: unknown): identity is ParsedKey {
  return typeof identity === 'object' && identity !== null && 'getPublicSSH' in identity && 'type' in identity;
}

class OneKeyAgent extends ssh2.BaseAgent<ParsedKey> {
  readonly #agent: BaseAgent;
  readonly #key: ParsedKey;

  constructor(agent: BaseAgent, key: ParsedKey) {
    super();
    this.#agent = agent;
    this.#key = key;
  }

  override getIdentities(callback: (error: Error | undefined | null, keys?: ParsedKey[]) => void): void {
    callback(null, [this.#key]);
  }

  override sign(
    key: ParsedKey,
    bytes: Buffer,
    options: SigningRequestOptions | SignCallback,
    callback?: SignCallback,
  ): void {
    if (typeof options === 'function') this.#agent.sign(key, bytes, options);
    else this.#agent.sign(key, bytes, options, callback);
  }
}
