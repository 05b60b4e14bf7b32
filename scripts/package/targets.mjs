// Says which packages this machine can build, and why not the others.
import { isOnPath } from '../setup/machine.mjs';

const NEEDS_DOWNLOAD = 'its runtime is downloaded by electron-builder: use --all where that is possible';

/** Every target with the system it is for, and what it lacks here (undefined: nothing). */
const TARGETS = [
  { name: 'dir', system: 'linux', lacks: () => undefined },
  { name: 'tar.gz', system: 'linux', lacks: () => (isOnPath('7za') ? undefined : 'install p7zip-full') },
  { name: 'deb', system: 'linux', lacks: () => (isOnPath('dpkg-deb') ? undefined : 'install dpkg') },
  { name: 'AppImage', system: 'linux', lacks: () => NEEDS_DOWNLOAD },
  { name: 'dmg', system: 'darwin', lacks: () => undefined },
  { name: 'nsis', system: 'win32', lacks: () => undefined },
];

const SYSTEM_NAMES = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' };

/**
 * @param {readonly string[]} wanted names of targets; all when empty
 * @returns {{able: string[], unable: {name: string, reason: string}[]}}
 */
export function sortTargets(wanted, { all = false, system = process.platform } = {}) {
  const chosen = TARGETS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  const judged = chosen.map((target) => ({ name: target.name, reason: reasonAgainst(target, { all, system }) }));
  return {
    able: judged.filter(({ reason }) => reason === undefined).map(({ name }) => name),
    unable: judged.filter(({ reason }) => reason !== undefined),
  };
}

function reasonAgainst(target, { all, system }) {
  if (target.system !== system) return `it is built on ${SYSTEM_NAMES[target.system]}`;
  const lacks = target.lacks();
  return all && lacks === NEEDS_DOWNLOAD ? undefined : lacks;
}
