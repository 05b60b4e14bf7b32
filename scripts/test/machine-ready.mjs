// Finds out which test packages are missing, and installs them where that is allowed.
import { capture, run } from '../setup/run.mjs';
import { debianName, isLinux, isOnPath, mayInstall } from '../setup/machine.mjs';
import { PlainFailure, say } from '../setup/say.mjs';
import { TEST_PACKAGES } from './packages.mjs';

/** Installs what is missing on Debian as root. @returns the packages that are still missing, with their use */
export async function readyMachine() {
  const missing = await missingPackages();
  if (missing.length === 0 || !mayInstall) return missing;
  const names = missing.map(({ name }) => debianName(name));
  say(`installing what the tests need: ${names.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // A failed update may still leave usable lists; the install tells.
  await run('apt-get', ['-qq', 'update'], { env });
  const code = await run(
    'apt-get',
    ['-qq', '-o=Dpkg::Use-Pty=0', 'install', '-y', '--no-install-recommends', ...names],
    { env },
  );
  if (code !== 0) throw new PlainFailure(`apt-get install failed with code ${code}`);
  return missingPackages();
}

/** The line that installs the given packages. */
export function packagesLine(packages) {
  return `sudo apt-get install -y --no-install-recommends ${packages.map(({ name }) => debianName(name)).join(' ')}`;
}

async function missingPackages() {
  const libraries = await knownLibraries();
  return TEST_PACKAGES.filter(({ program, library }) =>
    program === undefined ? !libraries.includes(library) : !isOnPath(program),
  );
}

/** What the loader knows; macOS and Windows bring what Electron needs. */
async function knownLibraries() {
  if (!isLinux) return TEST_PACKAGES.map(({ library }) => library).join(' ');
  const { stdout } = await capture('/sbin/ldconfig', ['-p']);
  return stdout;
}
