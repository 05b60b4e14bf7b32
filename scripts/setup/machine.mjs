// What kind of machine this is: system, package manager, rights, display.
import fs from 'node:fs';

export const isLinux = process.platform === 'linux';

export const isRoot = process.getuid?.() === 0;

/** True where tests may install what they lack. */
export const mayInstall =
  isRoot && isLinux && fs.existsSync('/etc/debian_version') && fs.existsSync('/usr/bin/apt-get');

/** True where nothing may be skipped. */
export const isStrict = process.env.CI === 'true' || mayInstall;

/** 'apt', 'dnf', 'pacman', 'zypper', or undefined where none is known. */
export function packageManager() {
  const programs = { apt: 'apt-get', dnf: 'dnf', pacman: 'pacman', zypper: 'zypper' };
  return Object.keys(programs).find((name) => isOnPath(programs[name]));
}

/** Whether a program is found in PATH or in the folders that administrators' programs lie in. */
export function isOnPath(program) {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/sbin'];
  return folders.some((folder) => folder !== '' && fs.existsSync(`${folder}/${program}`));
}

/** Debian 13 and Ubuntu 24.04 renamed libraries whose interface changed when time_t grew. */
const LONG_TIME = { 'libgtk-3-0': 'libgtk-3-0t64', libasound2: 'libasound2t64' };

/** The name of a Debian package in the release that runs here. */
export function debianName(name) {
  return hasLongTimeNames() ? (LONG_TIME[name] ?? name) : name;
}

function hasLongTimeNames() {
  const release = fs.existsSync('/etc/os-release') ? fs.readFileSync('/etc/os-release', 'utf8') : '';
  const id = /^ID=(\S+)/m.exec(release)?.[1];
  const version = Number(/^VERSION_ID="?([\d.]+)/m.exec(release)?.[1] ?? 0);
  return (id === 'debian' && version >= 13) || (id === 'ubuntu' && version >= 24.04);
}
