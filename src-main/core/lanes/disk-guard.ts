// Watches the disk under the spool, so that output never fills it.
import { statfs } from 'node:fs/promises';

/** Free bytes and size of a file system. */
export interface DiskSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** Least free space that output leaves (spec 5.1). */
const LEAST_FREE_BYTES = 1024 ** 3;
const LEAST_FREE_SHARE = 0.05;
/** A look costs a system call; between two looks at most this much is written. */
const LOOK_EVERY_BYTES = 16 * 1024 ** 2;

/** Asked before each write to the spool's disk. */
export interface DiskGuard {
  /** Resolves with false when these bytes would leave too little. */
  allows(bytes: number): Promise<boolean>;
}

/** A guard for one folder; `look` is replaced in tests. */
export function createDiskGuard(folder: string, look: () => Promise<DiskSpace> = () => spaceOf(folder)): DiskGuard {
  let allowance = 0;
  return {
    async allows(bytes) {
      allowance -= bytes;
      if (allowance >= 0) return true;
      const { freeBytes, totalBytes } = await look();
      const least = Math.max(LEAST_FREE_BYTES, totalBytes * LEAST_FREE_SHARE);
      if (freeBytes - bytes < least) return false;
      allowance = Math.min(LOOK_EVERY_BYTES, freeBytes - bytes - least);
      return true;
    },
  };
}

async function spaceOf(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
