// The marker that a person chose Quit, so that bridges which were there before do not start Patchbay again.
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from './system-error.ts';
import { writePrivate } from './write-private.ts';

/** Leaves the marker. Call it before clients are disconnected, so that they see it. */
export async function markQuit(dataDir: string): Promise<void> {
  await writePrivate(fileIn(dataDir), `${Date.now()}\n`);
}

/** When the person chose Quit, in epoch milliseconds; undefined when Patchbay was started since or never was quit. */
export async function quitAt(dataDir: string): Promise<number | undefined> {
  try {
    const at = Number(await readFile(fileIn(dataDir), 'utf8'));
    return Number.isFinite(at) ? at : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Takes the marker away; each start of Patchbay does. */
export async function clearQuit(dataDir: string): Promise<void> {
  await rm(fileIn(dataDir), { force: true });
}

function fileIn(dataDir: string): string {
  return path.join(dataDir, 'quit');
}
