// Copies the pictures that the app shows itself (window icon, tray) beside the bundles.
import fs from 'node:fs';
import path from 'node:path';
import { OUT, inRoot } from '../setup/paths.mjs';
import { filesBelow, writeWhole } from '../setup/stamp.mjs';

const SOURCE = inRoot('src-main/electron/assets');

/** Files of the package's own icon are up to the system; the app needs one of them. */
const WINDOW_ICON = path.join('icons', '256x256.png');

/** Names below out/assets. */
export function assetFiles() {
  return filesBelow(SOURCE)
    .map((file) => path.relative(SOURCE, file))
    .filter((name) => name === WINDOW_ICON || name.startsWith('tray-'));
}

/** Copies them; the window icon becomes icon.png. */
export function copyAssets() {
  for (const name of assetFiles()) {
    writeWhole(path.join(OUT, 'assets', outName(name)), fs.readFileSync(path.join(SOURCE, name)));
  }
}

/** The name below out/assets. */
export const outName = (name) => (name === WINDOW_ICON ? 'icon.png' : name);
