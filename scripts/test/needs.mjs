// Finds the test files that need something this machine lacks, by the line `// Needs: a, b` in them or in what they import.
import fs from 'node:fs';
import path from 'node:path';
import { importsOf } from '../check/imports.mjs';
import { isLinux, isRoot } from '../setup/machine.mjs';
import { inRoot, ROOT } from '../setup/paths.mjs';
import { filesBelow } from '../setup/stamp.mjs';

const LINE = /^\/\/ Needs: (.+)$/gm;

/** Rights and systems that a test can need besides packages. */
const CONDITIONS = {
  root: { met: isRoot, reason: 'it needs to run as root' },
  linux: { met: isLinux, reason: 'it needs Linux' },
};

/**
 * Test files that cannot run here.
 * @param {readonly string[]} missing names of packages that are not installed
 * @returns {{file: string, needs: string[]}[]} files relative to the root
 */
export function unreachableTests(missing, folder = inRoot('test')) {
  const unmet = new Set([...missing, ...Object.keys(CONDITIONS).filter((name) => !CONDITIONS[name].met)]);
  return filesBelow(folder)
    .filter((file) => /\.test\.tsx?$/.test(file))
    .map((file) => ({
      file: path.relative(ROOT, file),
      needs: [...needsOf(file, new Set())].filter((need) => unmet.has(need)),
    }))
    .filter(({ needs }) => needs.length > 0);
}

/** Why a need is not met, for the report. */
export const reasonOf = (need) => CONDITIONS[need]?.reason ?? `${need} is not installed`;

/** What a file and everything that it imports from the tests' folder needs. */
function needsOf(file, seen) {
  if (seen.has(file) || !fs.existsSync(file)) return new Set();
  seen.add(file);
  const text = fs.readFileSync(file, 'utf8');
  const own = [...text.matchAll(LINE)].flatMap(([, list]) => list.split(/,\s*/));
  const imported = importsOf(text)
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier }) => path.resolve(path.dirname(file), specifier))
    .filter((target) => target.startsWith(inRoot('test')))
    .flatMap((target) => [...needsOf(target, seen)]);
  return new Set([...own, ...imported]);
}
