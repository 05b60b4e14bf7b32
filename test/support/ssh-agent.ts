// A real ssh-agent of the test's own, and keys made at test time.
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { run } from './run.ts';
import { waitFor } from './processes.ts';

export interface TestAgent {
  /** What SSH_AUTH_SOCK has to be. */
  readonly socket: string;
  add(keyFile: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts an agent without keys. */
export async function startAgent(): Promise<TestAgent> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'patchbay-agent-'));
  const socket = path.join(folder, 'agent.sock');
  const child = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' });
  // The socket's file is there before anybody listens on it.
  await waitFor('the agent to listen', () => answers(socket));
  return {
    socket,
    async add(keyFile) {
      await run('ssh-add', ['-q', keyFile], { env: { SSH_AUTH_SOCK: socket } });
    },
    async stop() {
      child.kill('SIGKILL');
      await once(child, 'exit');
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = net.connect(socket);
    probe.once('connect', () => resolve(true));
    probe.once('error', () => resolve(false));
    probe.once('connect', () => probe.destroy());
  });
}

export interface KeyRequest {
  readonly type?: 'ed25519' | 'ecdsa' | 'rsa';
  readonly passphrase?: string;
  /** Rounds of the passphrase check; ssh-keygen's own default is 16. */
  readonly rounds?: number;
  readonly format?: 'RFC4716' | 'PKCS8' | 'PEM';
  readonly bits?: number;
}

/** Makes a key pair; the public half is `<file>.pub`. */
export async function makeKey(file: string, request: KeyRequest = {}): Promise<string> {
  const { type = 'ed25519', passphrase = '', rounds, format, bits } = request;
  const more = [
    ...(rounds === undefined ? [] : ['-a', String(rounds)]),
    ...(format === undefined ? [] : ['-m', format]),
    ...(bits === undefined ? [] : ['-b', String(bits)]),
  ];
  await run('ssh-keygen', ['-q', '-t', type, '-N', passphrase, '-C', 'key@test', ...more, '-f', file]);
  return file;
}
