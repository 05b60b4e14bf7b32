// Writes a file whole or not at all, readable by its owner only. Free of packages, for the bridge.
import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

/** Owner only. */
export const PRIVATE_FILE = 0o600;

/** Replaces `file` with `text` in one step: a reader sees the old content or the new one, never a part. */
export async function writePrivate(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}.draft`;
  try {
    await writeFile(draft, text, { mode: PRIVATE_FILE, flag: 'wx' });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
