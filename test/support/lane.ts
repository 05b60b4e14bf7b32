// Opens agent lanes over the product's own SSH connection to real servers, and runs commands in them.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { LocalAccount } from './local-shell.ts';
import type { Actor, CommandView } from '../../src-shared/model/index.ts';
import { createAgentLane } from '../../src-main/core/lanes/agent-lane.ts';
import type { AgentLane, AgentLaneOptions, OpenExec } from '../../src-main/core/lanes/port.ts';
import type { Command, RunRequest } from '../../src-main/core/sessions/port.ts';

/** An assistant's client, as tests name it. */
export const CLIENT: Actor = { kind: 'client', id: 'client-1', name: 'Test client', version: '1.0' };
export const PERSON: Actor = { kind: 'person', id: 'person-1', view: 'window' };

/** A lane with everything it told. */
export interface TestLane {
  readonly lane: AgentLane;
  readonly spoolDir: string;
  readonly noise: () => string;
  readonly late: () => string;
  readonly views: CommandView[];
  readonly close: () => Promise<void>;
}

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** A lane that has not been started. */
export function makeLane(open: OpenExec, changes: Partial<AgentLaneOptions> = {}): TestLane {
  const spoolDir = fs.mkdtempSync(path.join(os.tmpdir(), 'patchbay-lane-'));
  let noise = '';
  let late = '';
  const views: CommandView[] = [];
  const lane = createAgentLane({
    open,
    sessionName: 'test',
    spoolDir,
    limits: { spoolBytes: 0 },
    log: quiet,
    onCommandChange: (view) => views.push(view),
    onNoise: (bytes) => (noise += bytes.toString()),
    onLateOutput: (_, bytes) => (late += bytes.toString()),
    ...changes,
  });
  const close = async (): Promise<void> => {
    await lane.close();
    fs.rmSync(spoolDir, { recursive: true, force: true });
  };
  return { lane, spoolDir, noise: () => noise, late: () => late, views, close };
}

/** A started lane. */
export async function startLane(open: OpenExec, changes: Partial<AgentLaneOptions> = {}): Promise<TestLane> {
  const made = makeLane(open, changes);
  await made.lane.start();
  return made;
}

/** What a run gave, whole. */
export interface Ran {
  readonly command: Command;
  readonly status: CommandView['status'];
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutBytes: Buffer;
  readonly stderrBytes: Buffer;
  readonly shellRestarted: boolean;
  readonly workingDir: string | null;
  readonly notices: readonly string[];
}

/** Runs a command to its end. */
export async function runIn(lane: AgentLane, command: string, more: Partial<RunRequest> = {}): Promise<Ran> {
  return finished(lane.run({ command, timeoutMs: 60_000, ...more }, CLIENT));
}

/** Waits for a command and reads everything of it. */
export async function finished(command: Command): Promise<Ran> {
  await command.ended;
  const { status, exitCode, signal, shellRestarted } = command.view();
  const [stdoutBytes, stderrBytes] = await Promise.all([readAll(command, 'stdout'), readAll(command, 'stderr')]);
  return {
    ...{ command, status, exitCode, signal, shellRestarted, stdoutBytes, stderrBytes },
    stdout: stdoutBytes.toString('utf8'),
    stderr: stderrBytes.toString('utf8'),
    workingDir: command.workingDirAfter,
    notices: command.notices,
  };
}

async function readAll(command: Command, name: 'stdout' | 'stderr'): Promise<Buffer> {
  const stream = command.stream(name);
  return stream.read(0, stream.length);
}

/** The six login shells, as an account of a test server names them; BusyBox needs a link called ash. */
export const LOGIN_SHELLS = ['bash', 'zsh', 'dash', 'ash', 'fish', 'tcsh'] as const;

const SHELL_PATHS: Readonly<Record<(typeof LOGIN_SHELLS)[number], string>> = {
  bash: '/bin/bash',
  zsh: '/usr/bin/zsh',
  dash: '/bin/dash',
  ash: '',
  fish: '/usr/bin/fish',
  tcsh: '/usr/bin/tcsh',
};

/** Programs that a host without bash has; the rest of its PATH is empty. */
const PROGRAMS = ['cat', 'echo', 'env', 'grep', 'head', 'id', 'mkdir', 'ps', 'readlink', 'rm', 'sleep', 'tail', 'tr'];
const MORE_PROGRAMS = ['wc', 'printf', 'true', 'false', 'seq', 'ls', 'sort', 'od', 'yes', 'sh', 'kill', 'nohup'];

/** A folder with what accounts of {@link LOGIN_SHELLS} and hosts without bash need; remove it afterwards. */
export function makeShellFolder(): { readonly folder: string; readonly shellOf: (name: string) => string } {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'patchbay-shells-'));
  fs.chmodSync(folder, 0o755);
  fs.symlinkSync('/bin/busybox', path.join(folder, 'ash'));
  for (const [name, target] of [
    ['dash', '/bin/dash'],
    ['ash', '/bin/busybox'],
  ] as const) {
    const bin = path.join(folder, `only-${name}`);
    fs.mkdirSync(bin);
    fs.symlinkSync(target, path.join(bin, 'sh'));
    const programs = [...PROGRAMS, ...MORE_PROGRAMS].filter((program) => program !== 'sh');
    for (const program of programs) {
      fs.symlinkSync(name === 'ash' ? target : `/usr/bin/${program}`, path.join(bin, program));
    }
  }
  const shellOf = (name: string): string => {
    const known = LOGIN_SHELLS.find((shell) => shell === name);
    return (known === undefined ? '' : SHELL_PATHS[known]) || path.join(folder, 'ash');
  };
  return { folder, shellOf };
}

/** Accounts of this machine on which our driver runs in bash, dash and BusyBox ash; `folder` is of {@link makeShellFolder}. */
export function driverHosts(folder: string): readonly { readonly name: string; readonly account: LocalAccount }[] {
  const env = (name: string): { PATH: string } => ({ PATH: path.join(folder, `only-${name}`) });
  return [
    { name: 'bash', account: { shell: '/bin/bash' } },
    { name: 'dash', account: { shell: '/bin/dash', env: env('dash') } },
    { name: 'BusyBox ash', account: { shell: '/bin/busybox', args: ['ash'], env: env('ash') } },
  ];
}
