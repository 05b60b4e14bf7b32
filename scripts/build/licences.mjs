// Collects the licences of all packages that end up in the bundles.
import fs from 'node:fs';
import path from 'node:path';
import { OUT, inRoot } from '../setup/paths.mjs';
import { writeWhole } from '../setup/stamp.mjs';

/** Below out/. */
export const LICENCES_FILE = 'THIRD-PARTY.txt';

const LICENCE_NAME = /^(licen[cs]e|copying|ofl|notice)([.-].*)?$/i;

/** Writes one text with the licence of every package that the lock file installs for use, not only for development. */
export function collectLicences() {
  const { packages } = JSON.parse(fs.readFileSync(inRoot('package-lock.json'), 'utf8'));
  const sections = Object.entries(packages)
    .filter(([place, entry]) => place !== '' && !entry.dev && !entry.devOptional && !entry.optional && !entry.peer)
    .map(([place, entry]) => licenceSection(place, entry));
  writeWhole(path.join(OUT, LICENCES_FILE), sections.join('\n'));
}

function licenceSection(place, { version, license }) {
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const folder = inRoot(place);
  const files = fs.existsSync(folder) ? fs.readdirSync(folder).filter((file) => LICENCE_NAME.test(file)) : [];
  const texts = files.map((file) => fs.readFileSync(path.join(folder, file), 'utf8').trim());
  const rule = '='.repeat(80);
  return [rule, `${name} ${version} (${license ?? 'see below'})`, rule, ...texts, ''].join('\n');
}
