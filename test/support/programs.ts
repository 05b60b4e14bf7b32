// Starts the built programs, headless app and bridge, on a data folder of their own, and ends them by their pids.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { lockHolder } from '../../src-main/core/config/folder-lock.ts';
import { readRunFile } from '../../src-main/core/config/run-file.ts';
import type { RunFile } from '../../src-main/core/config/run-file.ts';
import { endProcesses, waitFor } from './processes.ts';

/** Folder of the built programs. */
export const OUT = path.resolve('out');

/** A start under load takes longer than one on an idle machine. */
const START_MS = 25_000;

/** Environment for a program. */
export type Variables = Readonly<Record<string, string>>;

/** A data folder of one test, with a home of its own and no display. */
export interface Desk {
  readonly dataDir: string;
  readonly home: string;
  /** Environment for programs that shall use this folder. */
  readonly environment: Variables;
  /** The run file of the app that runs there; waits for it. */
  running(): Promise<RunFile>;
  /** Process id of the app that holds the folder now. */
  holder(): Promise<number | undefined>;
  /** Everything that the journal holds, as text. */
  journal(): Promise<string>;
  /** Ends the app that runs there, whoever started it, and removes the folder. */
  close(): Promise<void>;
}

/** Makes the folder. */
export async function createDesk(extra: Variables = {}): Promise<Desk> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'patchbay-desk-'));
  const dataDir = path.join(root, 'data');
  const home = path.join(root, 'home');
  await mkdir(home);
  const environment = { ...plainEnvironment(), HOME: home, PATCHBAY_DATA_DIR: dataDir, ...extra };
  const holder = (): Promise<number | undefined> => lockHolder(dataDir, 'instance');
  return {
    dataDir,
    home,
    environment,
    holder,
    running: () => waitForRunFile(dataDir),
    journal: () => readAll(path.join(dataDir, 'journal')),
    async close() {
      // Not only the holder: one that is just starting, or Chromium's helpers, would make the folder again.
      const started = [...(await processesOf(dataDir)), ...[await holder()].flatMap((pid) => pid ?? [])];
      const helpers = await Promise.all(started.map(descendantsOf));
      await endProcesses([...new Set([...started, ...helpers.flat()])]);
      await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

/** Children and theirs: Chromium writes titles over the environment of its processes. */
async function descendantsOf(pid: number): Promise<readonly number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const own = children.split(' ').filter(Boolean).map(Number);
  return [...own, ...(await Promise.all(own.map(descendantsOf))).flat()];
}

/** Every process that was started for this data folder, by its environment. */
async function processesOf(dataDir: string): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => Number.isInteger(pid) && pid !== process.pid);
  const found = await Promise.all(
    pids.map(async (pid) => {
      // A process that has ended meanwhile has no environment any more.
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      return environment.split('\0').includes(`PATCHBAY_DATA_DIR=${dataDir}`) ? [pid] : [];
    }),
  );
  return found.flat();
}

/** What this process has, without what belongs to the test run or to a screen. */
export function plainEnvironment(): Variables {
  const unwanted = /^(DISPLAY|WAYLAND_DISPLAY|NODE_OPTIONS|VITEST.*|XDG_.*|PATCHBAY_.*|WEB_.*|MCP_PORT)$/;
  const kept = Object.entries(process.env).filter(([name]) => !unwanted.test(name));
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** The texts of all files of a folder, in the order of their names. */
export async function readAll(folder: string): Promise<string> {
  const names = (await readdir(folder)).toSorted();
  return (await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')))).join('');
}

async function waitForRunFile(dataDir: string): Promise<RunFile> {
  let found: RunFile | undefined;
  await waitFor(
    'the app to say where it is',
    async () => {
      found = await readRunFile(dataDir);
      return found !== undefined && (await lockHolder(dataDir, 'instance')) === found.pid;
    },
    START_MS,
  );
  if (found === undefined) throw new Error('no run file');
  return found;
}

/** A program that runs or has ended. */
export interface Started {
  readonly child: ChildProcess;
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  /** Resolves with the exit code (null after a signal) when all output was read. */
  readonly ended: Promise<number | null>;
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts a built program, such as `headless.js`. */
export function startProgram(name: string, args: readonly string[], environment: Variables): Started {
  const child = spawn(process.execPath, [path.join(OUT, name), ...args], {
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const text = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (text.stdout += piece));
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (text.stderr += piece));
  // A program that ended before it read everything closes its pipe.
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'close').then(([code]) => (typeof code === 'number' ? code : null));
  if (child.pid === undefined) throw new Error(`${name} could not be started`);
  return {
    child,
    pid: child.pid,
    stdout: () => text.stdout,
    stderr: () => text.stderr,
    ended,
    stop: (signal = 'SIGKILL') => {
      child.kill(signal);
      return ended;
    },
  };
}

/** A headless app, started as a person would. */
export interface App extends Started {
  readonly run: RunFile;
}

/** Starts the headless app and waits until it says where it is. */
export async function startApp(desk: Desk, extra: Variables = {}, args: readonly string[] = []): Promise<App> {
  const started = startProgram('headless.js', args, { ...desk.environment, ...extra });
  const run = await Promise.race([
    desk.running(),
    started.ended.then((code): never => {
      throw new Error(`the app ended with ${code}: ${started.stderr()}`);
    }),
  ]);
  return { ...started, run };
}
