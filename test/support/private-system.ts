// A private copy of the system for a test: changes to /usr, /opt, /var and /etc are seen only in it and vanish with it.
// Needs: root, linux, util-linux
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { RunResult } from './run.ts';
import { run } from './run.ts';
import { endProcesses, processesInMountNamespace } from './processes.ts';

const COVERED = ['usr', 'opt', 'var', 'etc'];

/** A command line. */
export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

/** The private copy. */
export interface PrivateSystem {
  /** Home of the ordinary user `desk` that exists only here. */
  readonly home: string;
  /** The command line that runs a program here as root. */
  asRoot(command: string, args: readonly string[]): CommandLine;
  /** The command line that runs a program here as the ordinary user. */
  asUser(command: string, args: readonly string[]): CommandLine;
  /** Runs a program here as root; rejects when it fails. */
  run(command: string, args: readonly string[]): Promise<RunResult>;
  /** Every file that is new here or differs from the real system's. */
  changedFiles(): readonly string[];
  /** Processes here besides the one that holds the copy. */
  processes(): readonly number[];
  close(): Promise<void>;
}

/** Makes a private copy with an ordinary user. */
export async function startPrivateSystem(): Promise<PrivateSystem> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'patchbay-system-'));
  fs.chmodSync(folder, 0o755);
  const home = path.join(folder, 'home');
  const holder = spawn('unshare', ['-m', '--propagation', 'private', 'sh', '-c', mountScript(folder)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const holderEnded = once(holder, 'close');
  const ready = await Promise.race([once(holder.stdout, 'data'), holderEnded.then(() => undefined)]);
  const pid = holder.pid;
  if (ready === undefined || pid === undefined) throw new Error('the private system could not be mounted');
  const asRoot = (command: string, args: readonly string[]): CommandLine => ({
    command: 'nsenter',
    args: ['-t', String(pid), '-m', '--', command, ...args],
  });
  const runHere = (command: string, args: readonly string[]) => run('nsenter', asRoot(command, args).args);
  await runHere('useradd', ['-M', '-d', home, '-s', '/bin/bash', 'desk']);
  await runHere('sh', ['-c', `mkdir ${home} && chown desk: ${home}`]);
  const user = ['--reuid=desk', '--regid=desk', '--init-groups', 'env', `HOME=${home}`, 'USER=desk', 'LOGNAME=desk'];
  return {
    home,
    asRoot,
    asUser: (command, args) => asRoot('setpriv', [...user, command, ...args]),
    run: runHere,
    changedFiles: () =>
      COVERED.flatMap((name) => changedBelow(`/proc/${pid}/root${folder}/layer/${name}.new`, `/${name}`)),
    processes: () => processesInMountNamespace(pid),
    async close() {
      await endProcesses(processesInMountNamespace(pid));
      holder.stdin.end();
      await holderEnded;
      fs.rmSync(folder, { recursive: true });
    },
  };
}

/** The layers lie in memory that only this namespace sees; the shell holds it until its stdin ends. */
function mountScript(folder: string): string {
  const layer = `${folder}/layer`;
  return [
    'set -e',
    `mkdir ${layer}`,
    `mount -t tmpfs layer ${layer}`,
    ...COVERED.flatMap((name) => [
      `mkdir ${layer}/${name}.new ${layer}/${name}.work`,
      `mount -t overlay own -o lowerdir=/${name},upperdir=${layer}/${name}.new,workdir=${layer}/${name}.work /${name}`,
    ]),
    'echo ready',
    'read -r line || true',
  ].join('\n');
}

/** A character device in an upper layer stands for a file that was deleted. */
function changedBelow(layer: string, shown: string): string[] {
  return fs.readdirSync(layer, { withFileTypes: true }).flatMap((entry) => {
    const name = `${shown}/${entry.name}`;
    if (entry.isCharacterDevice()) return [];
    return entry.isDirectory() ? changedBelow(`${layer}/${entry.name}`, name) : [name];
  });
}
