// Reads the titles of all tests from their sources.
import fs from 'node:fs';
import path from 'node:path';
import { inRoot, ROOT } from '../setup/paths.mjs';
import { filesBelow } from '../setup/stamp.mjs';

const TITLE = /\b(it|test|describe)(?:\.\w+(?:\([^)]*\))?)*\(\s*(['"`])((?:\\.|(?!\2)[^\\])*)\2/g;

/** Titles with the file that holds them; those of `describe` carry `group: true`. */
export function readTestTitles(folder = inRoot('test')) {
  const files = filesBelow(folder).filter((file) => /\.test\.tsx?$/.test(file));
  return files.flatMap((file) => titlesIn(fs.readFileSync(file, 'utf8'), path.relative(ROOT, file)));
}

/** Titles in one test source. */
export function titlesIn(text, file) {
  return [...text.matchAll(TITLE)].map(([, kind, , title]) => ({
    title: title.replaceAll(/\\(.)/g, '$1'),
    group: kind === 'describe',
    file,
  }));
}

/** The ids such as S3.4 in brackets at the start of a title: `[S3.4] ...`, `[S3.4, S3.5] ...`. */
export function criteriaOf(title) {
  const ids = /^\[([A-Z]+\d+\.\d+[a-z]?(?:,\s*[A-Z]+\d+\.\d+[a-z]?)*)\]/.exec(title)?.[1];
  return ids === undefined ? [] : ids.split(/,\s*/);
}

/** The field case that a title begins with, such as FC41. */
export function fieldCaseOf(title) {
  return /^(FC\d+)\b/.exec(title)?.[1];
}
