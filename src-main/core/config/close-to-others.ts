// Finds what other accounts on this computer could read or write in the data folder, and closes it to them.
import { chmod, lstat, readdir } from 'node:fs/promises';
import path from 'node:path';

/** A file or folder that was open to other accounts. */
export interface WasOpen {
  /** Relative to the data folder; empty for the folder itself. */
  readonly name: string;
  /** Its permissions as they were, such as `644`. */
  readonly mode: string;
  /** False: it belongs to somebody else or cannot be changed, and is open still. */
  readonly closed: boolean;
}

const FOR_OTHERS = 0o077;
/** Chromium looks after its own profile; what is around it is closed. */
const NOT_OURS = 'electron';

/** Leaves the owner's rights as they are and takes all others away; links are left alone. Windows has no such rights. */
export async function closeToOthers(dataDir: string): Promise<readonly WasOpen[]> {
  return process.platform === 'win32' ? [] : closeEntry(dataDir, '');
}

async function closeEntry(dataDir: string, name: string): Promise<readonly WasOpen[]> {
  const file = path.join(dataDir, name);
  try {
    const found = await lstat(file);
    if (!found.isFile() && !found.isDirectory()) return [];
    const inside = found.isDirectory() && name !== NOT_OURS ? await readdir(file) : [];
    const own = (found.mode & FOR_OTHERS) === 0 ? [] : [await narrow(file, name, found.mode)];
    const rest = await Promise.all(inside.map((entry) => closeEntry(dataDir, path.join(name, entry))));
    return [...own, ...rest.flat()];
  } catch {
    // It went away while we looked, or belongs to somebody else altogether: whoever needs it says so.
    return [];
  }
}

async function narrow(file: string, name: string, mode: number): Promise<WasOpen> {
  const shown = (mode & 0o777).toString(8);
  try {
    await chmod(file, mode & 0o700);
    return { name, mode: shown, closed: true };
  } catch {
    // Whoever starts Patchbay is told; a file of another account is no reason not to run.
    return { name, mode: shown, closed: false };
  }
}
