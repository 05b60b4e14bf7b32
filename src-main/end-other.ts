// Ends the Patchbay that has the data folder: for good, or so that this one takes its place.
import { setTimeout as wait } from 'node:timers/promises';
import { INSTANCE_LOCK, LAUNCH_LOCK } from '../src-shared/mcp-identity.ts';
import { lockHolder, tryLock } from './core/config/folder-lock.ts';
import type { FolderLock } from './core/config/folder-lock.ts';
import { markQuit } from './core/config/quit-marker.ts';
import type { RunFile } from './core/config/run-file.ts';
import { errorCode } from './core/config/system-error.ts';

/** Sessions are closed and files are written first; that takes longest. */
const END_MS = 20_000;
/** A bridge that is starting a Patchbay at this moment holds the lock for as long. */
const LOCK_MS = 35_000;
const LOOK_MS = 50;

/**
 * Ends `other` without a quit marker, then runs `start`. No bridge starts a Patchbay between the two: they wait for the
 * launch lock, and find this one afterwards. Returns undefined when the other does not end.
 */
export async function takeOver<T>(dataDir: string, other: RunFile, start: () => Promise<T>): Promise<T | undefined> {
  const lock = await launchLock(dataDir);
  if (lock === undefined) return undefined;
  try {
    // A headless one takes this signal as a take-over; the app knows only the one that ends it without a question.
    if (!(await end(dataDir, other, other.mode === 'headless' ? 'SIGUSR2' : 'SIGTERM'))) return undefined;
    return await start();
  } finally {
    await lock.release();
  }
}

/** Ends `other` as a person's Quit: bridges that are there do not start it again. False when it does not end. */
export async function stopOther(dataDir: string, other: RunFile): Promise<boolean> {
  await markQuit(dataDir);
  return end(dataDir, other, 'SIGTERM');
}

/** What to do with one that does not end. */
export function stuckFault({ pid }: RunFile): string {
  return `The Patchbay that runs (process ${pid}) does not end. End that process by hand, then start again.`;
}

async function end(dataDir: string, { pid }: RunFile, signal: NodeJS.Signals): Promise<boolean> {
  // The lock knows whether this process still is the one that wrote the run file; a number alone may be anybody's.
  if ((await lockHolder(dataDir, INSTANCE_LOCK)) !== pid) return true;
  try {
    process.kill(pid, process.platform === 'win32' ? 'SIGTERM' : signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') return false;
  }
  return until(END_MS, async () => (await lockHolder(dataDir, INSTANCE_LOCK)) !== pid);
}

async function launchLock(dataDir: string): Promise<FolderLock | undefined> {
  let lock: FolderLock | undefined;
  await until(LOCK_MS, async () => (lock = await tryLock(dataDir, LAUNCH_LOCK)) !== undefined);
  return lock;
}

async function until(ms: number, done: () => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + ms;
  while (performance.now() < deadline) {
    if (await done()) return true;
    await wait(LOOK_MS);
  }
  return done();
}
