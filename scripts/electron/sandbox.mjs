// Decides whether Chromium's sandbox can work for an Electron that was not installed by a package.
import fs from 'node:fs';
import path from 'node:path';
import { isLinux, isRoot } from '../setup/machine.mjs';
import { say } from '../setup/say.mjs';

/** Kernel settings that keep ordinary users from making user namespaces, with the value that says so. */
const NAMESPACE_LOCKS = [
  { file: '/proc/sys/kernel/apparmor_restrict_unprivileged_userns', locked: '1' },
  { file: '/proc/sys/kernel/unprivileged_userns_clone', locked: '0' },
  { file: '/proc/sys/user/max_user_namespaces', locked: '0' },
];

/** Electron's switches for the sandbox; where it has to be off, this says so and why. */
export function sandboxSwitches(electron) {
  const reason = reasonAgainst(electron);
  if (reason === undefined) return [];
  say(`${reason}: Chromium's sandbox is switched off (--no-sandbox)`);
  return ['--no-sandbox'];
}

function reasonAgainst({ folder }) {
  if (!isLinux) return undefined;
  if (isRoot) return 'running as root';
  if (hasPrivilegedHelper(folder)) return undefined;
  const lock = NAMESPACE_LOCKS.find(({ file, locked }) => valueOf(file) === locked);
  return lock && `this system gives ordinary users no namespaces (${lock.file} is ${lock.locked})`;
}

/** The helper replaces namespaces when root owns it and it runs as root. */
function hasPrivilegedHelper(folder) {
  const stat = fs.statSync(path.join(folder, 'chrome-sandbox'), { throwIfNoEntry: false });
  return stat !== undefined && stat.uid === 0 && (stat.mode & 0o4000) !== 0;
}

const valueOf = (file) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : undefined);
