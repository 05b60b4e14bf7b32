// Where Patchbay keeps its files: the folder by environment and operating system. Free of packages, for the bridge.
import { access, chmod, mkdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { errorCode } from './system-error.ts';

/** Environment variables as a program gets them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Owner only. */
const PRIVATE_FOLDER = 0o700;

/** The data folder: PATCHBAY_DATA_DIR, else the usual place. A relative PATCHBAY_DATA_DIR is returned as it is. */
export function dataDirOf(environment: Environment, platform: NodeJS.Platform = process.platform): string {
  const given = environment['PATCHBAY_DATA_DIR'];
  if (given !== undefined && given !== '') return given;
  const home = environment['HOME'] || homedir();
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'Patchbay');
  if (platform === 'win32') {
    return path.join(environment['APPDATA'] || path.join(home, 'AppData', 'Roaming'), 'Patchbay');
  }
  const base = environment['XDG_DATA_HOME'];
  // The XDG specification says that relative paths in its variables are to be ignored.
  return path.join(base !== undefined && path.isAbsolute(base) ? base : path.join(home, '.local', 'share'), 'patchbay');
}

/**
 * Makes the folder and those above it where they are missing; what others could read is closed to them. Returns the rights
 * that it had, such as 0o755, where they had to be taken away.
 */
export async function ensurePrivateFolder(folder: string): Promise<number | undefined> {
  await makeFolder(folder);
  if (process.platform === 'win32') return undefined;
  const { mode } = await stat(folder);
  if ((mode & 0o077) === 0) return undefined;
  await chmod(folder, PRIVATE_FOLDER);
  return mode & 0o777;
}

/** Node's own `recursive` never returns where the system refuses with ENOENT below a folder that exists, as /proc does. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: PRIVATE_FOLDER });
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    const above = path.dirname(folder);
    if (code !== 'ENOENT' || above === folder || (await isThere(above))) throw error;
    await makeFolder(above);
    // Once more from the start: another process may have been quicker by now.
    await makeFolder(folder);
  }
}

async function isThere(folder: string): Promise<boolean> {
  return access(folder).then(
    () => true,
    () => false,
  );
}
