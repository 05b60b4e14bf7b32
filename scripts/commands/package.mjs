// npm run package: builds the packages that this machine can, and names those that it cannot.
import { ensureBuilt } from '../build/up-to-date.mjs';
import { ensureElectron } from '../electron/runtime.mjs';
import { isOnPath } from '../setup/machine.mjs';
import { ensureModules } from '../setup/modules.mjs';
import { inRoot } from '../setup/paths.mjs';
import { packageProgram, run } from '../setup/run.mjs';
import { say } from '../setup/say.mjs';
import { sortTargets } from '../package/targets.mjs';

const SYSTEM_SWITCH = { linux: '--linux', darwin: '--mac', win32: '--win' };

/**
 * Arguments: names of targets (all when there are none), `--fast` for quick and large packages, `--all` to try also
 * those that need a download.
 */
export async function command(args) {
  await ensureModules();
  const wanted = args.filter((arg) => !arg.startsWith('--'));
  const { able, unable } = sortTargets(wanted, { all: args.includes('--all') });
  const electron = await ensureElectron();
  await ensureBuilt();
  const code = able.length === 0 ? 1 : await build(able, electron, args.includes('--fast'));
  for (const { name, reason } of unable) say(`not built: ${name}: ${reason}`);
  if (!electron.official)
    say(`packed with Electron ${electron.version}: for a release, build where the official download works`);
  if (code === 0) say(`built ${able.join(', ')} in dist/`);
  return code;
}

function build(targets, electron, fast) {
  const [command, ...before] = packageProgram('electron-builder/cli.js');
  const settings = [`-c.electronDist=${electron.folder}`, `-c.electronVersion=${electron.version}`];
  const args = [...before, SYSTEM_SWITCH[process.platform], ...targets, ...settings, '--publish', 'never'];
  say(`packing ${targets.join(', ')} ...`);
  return run(command, args, { env: { ...process.env, ...toolEnvironment(fast) } });
}

/** electron-builder fetches tools of its own unless it is told of those that are here. */
function toolEnvironment(fast) {
  const tools = {
    ...(isOnPath('7za') ? { ELECTRON_BUILDER_7ZIP_PATH: '/usr/bin/7za' } : {}),
    ...(isOnPath('dpkg-deb') ? { CUSTOM_FPM_PATH: inRoot('scripts/package/deb.mjs') } : {}),
  };
  const quick = { ELECTRON_BUILDER_COMPRESSION_LEVEL: '1', PATCHBAY_DEB_COMPRESSION: 'gzip -z1' };
  return {
    CSC_IDENTITY_AUTO_DISCOVERY: 'false',
    ...tools,
    ...(fast ? quick : { ELECTRON_BUILDER_COMPRESSION_LEVEL: '6' }),
  };
}
