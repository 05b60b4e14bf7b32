// Draws the icons again; run it after a change in scripts/icons/ and commit what it writes.
import { drawPicture, PICTURES } from './icons/draw.mjs';
import { encodePng } from './icons/png.mjs';
import { inRoot } from './setup/paths.mjs';
import { writeWhole } from './setup/stamp.mjs';

const APP_SIZES = [16, 24, 32, 48, 64, 128, 256, 512];
const TRAY_SIZE = 22;
const TRAY_STATES = ['agent', 'you', 'idle', 'paused'];
const ASSETS = 'src-main/electron/assets';

const picture = (name, size) => encodePng(size, drawPicture(PICTURES[name], size));

for (const size of APP_SIZES) writeWhole(inRoot(ASSETS, 'icons', `${size}x${size}.png`), picture('app', size));
for (const state of TRAY_STATES) {
  writeWhole(inRoot(ASSETS, `tray-${state}.png`), picture(state, TRAY_SIZE));
  writeWhole(inRoot(ASSETS, `tray-${state}@2x.png`), picture(state, TRAY_SIZE * 2));
}
