// The folder in which this run of the app keeps output; what earlier runs left behind is removed.
import fs from 'node:fs/promises';
import path from 'node:path';

/** Makes `spool/<pid>-<start>` (0700) in the data folder. The folder lock makes sure that no other run is alive. */
export async function makeSpoolFolder(dataDir: string): Promise<string> {
  const parent = path.join(dataDir, 'spool');
  await fs.rm(parent, { recursive: true, force: true });
  const folder = path.join(parent, `${process.pid}-${Date.now()}`);
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Removes the folder of this run. */
export async function removeSpool(folder: string): Promise<void> {
  await fs.rm(folder, { recursive: true, force: true });
}
