// Installs node_modules when they are missing or do not match the lock file.
import fs from 'node:fs';
import { withLock } from './lock.mjs';
import { inRoot } from './paths.mjs';
import { run } from './run.mjs';
import { PlainFailure, say } from './say.mjs';

/** Runs `npm ci` where it is needed; says nothing and takes some milliseconds where it is not. */
export async function ensureModules() {
  if (modulesMatch()) return;
  await withLock('install', async () => {
    // Another run may have installed them while this one waited.
    if (modulesMatch()) return;
    say('installing the packages of the lock file with npm ci (about a minute) ...');
    const [npm, ...before] = npmCommand();
    // Development packages build and test the program, also where NODE_ENV says production.
    const code = await run(npm, [...before, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
    if (code !== 0) throw new PlainFailure(`npm ci failed with code ${code}: its lines above say why`);
    if (!modulesMatch()) throw new PlainFailure('npm ci left other packages than the lock file names');
    say('packages installed');
  });
}

/** npm as started by npm itself, else from the path. */
export function npmCommand() {
  const cli = process.env.npm_execpath;
  if (cli !== undefined && /npm-cli\.c?js$/.test(cli)) return [process.execPath, cli];
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm'];
}

/** npm keeps a copy of what it installed; it is written last, so an install that was broken off has none. */
function modulesMatch() {
  const wanted = packagesOf(inRoot('package-lock.json'));
  const installed = packagesOf(inRoot('node_modules', '.package-lock.json'));
  if (wanted === undefined || installed === undefined) return false;
  return Object.entries(wanted).every(([place, { version, optional, devOptional }]) => {
    if (place === '') return true;
    const found = installed[place];
    return found === undefined ? optional === true || devOptional === true : found.version === version;
  });
}

function packagesOf(file) {
  if (!fs.existsSync(file)) return undefined;
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
