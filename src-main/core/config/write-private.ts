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

/** True for the error that a missing file gives. */
export function isMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT';
}

/** `code` of an error of the operating system, such as `EACCES`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
