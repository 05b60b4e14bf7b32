// Finds out which system libraries an Electron binary lacks, and how to install them.
import { debianName, isLinux, packageManager } from '../setup/machine.mjs';
import { capture } from '../setup/run.mjs';

/** The four packages that pull in everything else that Electron needs, per package manager. */
const PACKAGES = {
  apt: ['libgtk-3-0', 'libnss3', 'libgbm1', 'libasound2'],
  dnf: ['gtk3', 'nss', 'mesa-libgbm', 'alsa-lib'],
  pacman: ['gtk3', 'nss', 'mesa', 'alsa-lib'],
  zypper: ['libgtk-3-0', 'mozilla-nss', 'libgbm1', 'libasound2'],
};

const INSTALL = {
  apt: 'sudo apt-get install -y --no-install-recommends',
  dnf: 'sudo dnf install -y',
  pacman: 'sudo pacman -S --needed',
  zypper: 'sudo zypper install -y',
};

/** The names of shared libraries that the binary needs and the system lacks. */
export async function missingLibraries(executable) {
  if (!isLinux) return [];
  const { code, stdout } = await capture('ldd', [executable]);
  // Without ldd nothing can be said; Electron itself will then name what it lacks.
  if (code !== 0) return [];
  return [...stdout.matchAll(/^\s*(\S+) => not found/gm)].map(([, name]) => name);
}

/** The exact line that installs Electron's libraries here. */
export function installLine() {
  const manager = packageManager() ?? 'apt';
  const names = PACKAGES[manager].map((name) => (manager === 'apt' ? debianName(name) : name));
  return `${INSTALL[manager]} ${names.join(' ')}`;
}
