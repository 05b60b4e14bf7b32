// Starts a real dropbear on loopback, with the accounts of a test sshd, in a mount namespace of its own.
import fs from 'node:fs';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { freePort } from './net.ts';
import { endProcesses, processesInMountNamespace, waitFor } from './processes.ts';
import { run } from './run.ts';
import type { TestSshd } from './sshd.ts';

export interface TestDropbear {
  readonly port: number;
  log(): string;
  stop(): Promise<void>;
}

/** Needs root. Accounts, passwords and keys are those of `accountsOf`, which has to run as long. */
export async function startDropbear(accountsOf: TestSshd): Promise<TestDropbear> {
  const { folder } = accountsOf;
  const port = await freePort();
  const hostKey = path.join(folder, `dropbear_${port}`);
  await run('dropbearkey', ['-t', 'ed25519', '-f', hostKey]);
  for (const account of accountsOf.accounts) giveKey(folder, account);
  const lay = (from: string): string => `mount --bind '${folder}/${from}' /etc/${from}`;
  const script = `${['passwd', 'shadow', 'group'].map(lay).join('\n')}\nexec "$@"`;
  const logFile = path.join(folder, `dropbear_${port}.log`);
  const log = fs.openSync(logFile, 'a');
  const program = [
    'dropbear',
    '-F',
    '-E',
    '-r',
    hostKey,
    '-p',
    `127.0.0.1:${port}`,
    '-P',
    path.join(folder, 'dropbear.pid'),
  ];
  const child = spawn('unshare', ['-m', '--propagation', 'private', 'sh', '-ec', script, 'sh', ...program], {
    stdio: ['ignore', log, log],
    cwd: '/',
  });
  fs.closeSync(log);
  await waitFor('dropbear to start', () => fs.readFileSync(logFile, 'utf8').includes('Not backgrounding'));
  return {
    port,
    log: () => fs.readFileSync(logFile, 'utf8'),
    async stop() {
      if (child.pid !== undefined) await endProcesses([child.pid, ...processesInMountNamespace(child.pid)]);
    },
  };
}

/** dropbear looks only into the home folder, and only when nobody else may write there. */
function giveKey(folder: string, { name, home, uid }: TestSshd['account']): void {
  const ssh = path.join(home, '.ssh');
  const file = path.join(ssh, 'authorized_keys');
  fs.mkdirSync(ssh, { recursive: true, mode: 0o700 });
  fs.copyFileSync(path.join(folder, 'authorized', name), file);
  fs.chmodSync(file, 0o600);
  for (const each of [ssh, file]) fs.chownSync(each, uid, uid);
}
