// Installs the GNS3 server that tests talk to, once, in a Python environment of its own below the user's cache folder.
// Needs: python3-venv
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { withLock } from '../../scripts/setup/lock.mjs';
import { run } from './run.ts';

const VERSION = '3.0.6';

/** Path of the Python that has the server; installs it when it is not there. Rejects with pip's words. */
export async function gns3Python(): Promise<string> {
  const cache = process.env['XDG_CACHE_HOME'] ?? path.join(os.homedir(), '.cache');
  const folder = path.join(cache, 'patchbay-tests', `gns3-server-${VERSION}`);
  const python = path.join(folder, 'bin', 'python');
  const complete = path.join(folder, 'complete');
  const install = async (): Promise<void> => {
    if (fs.existsSync(complete) && fs.existsSync(python)) return;
    fs.rmSync(folder, { recursive: true, force: true });
    await run('python3', ['-m', 'venv', folder]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input'];
    await run(python, [...pip, `gns3-server==${VERSION}`]);
    fs.writeFileSync(complete, '');
  };
  // Several test files may want it at the same moment.
  await withLock(`gns3-server-${VERSION}`, install, path.dirname(folder));
  return python;
}
