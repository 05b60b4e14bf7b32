// A temporary folder of one test, removed at its end.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** Makes the folder; it goes when the test that asked for it is finished. */
export async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
