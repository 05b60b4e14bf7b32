// Finds the Node with which a client's entry stays good: Electron lies in a cache that people may empty.
import { access, constants, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Environment } from './data-dir.ts';

/** Absolute path of the Node that started us, else of the first in PATH; undefined where there is none. */
export async function findNode(environment: Environment): Promise<string | undefined> {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const folders = (environment['PATH'] ?? environment['Path'] ?? '').split(path.delimiter);
  const candidates = [environment['PATCHBAY_NODE'] ?? '', ...folders.map((folder) => path.join(folder, name))];
  for (const candidate of candidates.filter((one) => path.isAbsolute(one))) {
    const found = await runnable(candidate);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** As a running Node names itself: links are followed. */
async function runnable(file: string): Promise<string | undefined> {
  try {
    await access(file, constants.X_OK);
    return await realpath(file);
  } catch {
    // Not there, or not for us: the next one.
    return undefined;
  }
}
