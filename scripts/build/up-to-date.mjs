// Decides which parts of the build are out of date and builds those, one run at a time.
import fs from 'node:fs';
import path from 'node:path';
import { withLock } from '../setup/lock.mjs';
import { OUT } from '../setup/paths.mjs';
import { say } from '../setup/say.mjs';
import { hashOf, readStamp, writeStamp } from '../setup/stamp.mjs';
import { assetFiles, copyAssets, outName } from './assets.mjs';
import { PROGRAMS, buildPrograms } from './bundles.mjs';
import { collectLicences, LICENCES_FILE } from './licences.mjs';
import { buildRenderer } from './renderer.mjs';

const SHARED_SOURCES = ['src-shared', 'package.json', 'package-lock.json'];

const PARTS = [
  {
    name: 'programs',
    sources: ['src-main', 'scripts/build', ...SHARED_SOURCES],
    outputs: () => [
      ...PROGRAMS.map(({ outfile }) => outfile),
      LICENCES_FILE,
      ...assetFiles().map((name) => `assets/${outName(name)}`),
    ],
    build: async () => {
      copyAssets();
      collectLicences();
      await buildPrograms();
    },
  },
  {
    name: 'pages',
    sources: ['src-renderer', 'vite.config.ts', 'scripts/build', ...SHARED_SOURCES],
    outputs: () => ['renderer/window.html', 'renderer/monitor.html'],
    build: buildRenderer,
  },
];

/**
 * Builds what is out of date.
 * @param {{force?: boolean, parts?: string[]}} [options] parts: 'programs', 'pages'; both when left out
 */
export async function ensureBuilt({ force = false, parts = ['programs', 'pages'] } = {}) {
  const wanted = PARTS.filter(({ name }) => parts.includes(name));
  if (!force && wanted.every(isUpToDate)) return;
  await withLock('build', async () => {
    for (const part of wanted) {
      if (force || !isUpToDate(part)) await buildPart(part);
    }
  });
}

async function buildPart(part) {
  const before = Date.now();
  // Hashed before the build: a source saved meanwhile makes the next run build again.
  const hash = hashOf(part.sources);
  await part.build();
  writeStamp(stampFile(part), hash);
  say(`built the ${part.name} (${((Date.now() - before) / 1000).toFixed(1)} s)`);
}

function isUpToDate(part) {
  if (part.outputs().some((file) => !fs.existsSync(path.join(OUT, file)))) return false;
  return readStamp(stampFile(part)) === hashOf(part.sources);
}

const stampFile = (part) => path.join(OUT, `.${part.name}.stamp`);
