// Makes sure that one data folder has one running Patchbay, and finds the one that runs.
import { setTimeout as wait } from 'node:timers/promises';
import { INSTANCE_LOCK } from '../src-shared/mcp-identity.ts';
import { lockHolder, tryLock } from './core/config/folder-lock.ts';
import type { FolderLock } from './core/config/folder-lock.ts';
import { readRunFile } from './core/config/run-file.ts';
import type { RunFile } from './core/config/run-file.ts';

/** How long another Patchbay may take to start or to end. */
const PATIENCE_MS = 20_000;
const LOOK_MS = 50;

/** This process has the folder, or another one has it, or it does not say where it is. */
export type Claim =
  | { readonly kind: 'ours'; readonly lock: FolderLock }
  | { readonly kind: 'theirs'; readonly other: RunFile }
  | { readonly kind: 'silent' };

/** Takes the folder, or waits until the Patchbay that has it says where it is. */
export async function claimFolder(dataDir: string): Promise<Claim> {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const lock = await tryLock(dataDir, INSTANCE_LOCK);
    if (lock !== undefined) return { kind: 'ours', lock };
    const other = await findRunning(dataDir);
    if (other !== undefined) return { kind: 'theirs', other };
    await wait(LOOK_MS);
  }
  return { kind: 'silent' };
}

/** The run file of the Patchbay that holds the folder; undefined when none runs or it is still starting. */
async function findRunning(dataDir: string): Promise<RunFile | undefined> {
  const [other, holder] = await Promise.all([readRunFile(dataDir), lockHolder(dataDir, INSTANCE_LOCK)]);
  return other !== undefined && other.pid === holder ? other : undefined;
}
