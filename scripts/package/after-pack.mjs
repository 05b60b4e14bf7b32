// A step of electron-builder: takes out what belongs to the development runtime and not into a package.
import fs from 'node:fs/promises';
import path from 'node:path';

/** Called by electron-builder with the folder of the unpacked app. */
export async function afterPack({ appOutDir, electronPlatformName }) {
  if (electronPlatformName !== 'linux') return;
  await fs.rm(path.join(appOutDir, 'version'), { force: true });
  await fs.rm(path.join(appOutDir, 'resources', 'default_app.asar'), { force: true });
}
