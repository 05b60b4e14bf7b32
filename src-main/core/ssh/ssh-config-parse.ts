// Reads ssh_config files with their Include lines into blocks, in the order in which ssh reads them.
import fs from 'node:fs/promises';
import path from 'node:path';
import { matchesPattern } from './pattern.ts';

/** A piece of configuration that counts for hosts that fit all of its conditions. */
export interface Block {
  /** Each is the pattern list of one Host line; an Include inside a block adds its own. Null is a Match we do not know. */
  readonly conditions: readonly (readonly string[] | null)[];
  readonly options: readonly Option[];
}

/** One line; the name is in lower case. */
export interface Option {
  readonly name: string;
  readonly words: readonly string[];
}

// ssh gives up at the same depth.
const INCLUDE_DEPTH = 16;

/** A file that is missing or cannot be read has no blocks. `folder` is where relative Include paths start. */
export async function readSshConfig(file: string, folder: string): Promise<readonly Block[]> {
  return readBlocks({ file, folder, outer: [], depth: 0 });
}

/** Whether a block counts for the name a person typed. */
export function blockFits(block: Block, alias: string): boolean {
  return block.conditions.every((patterns) => patterns !== null && patternsFit(patterns, alias));
}

/** The words of one line; quotes keep blanks together, `=` may stand after the name. */
export function wordsOf(line: string): readonly string[] {
  const found = line.trim().matchAll(/"([^"]*)"|[^\s"]+/g);
  const words = [...found].map((match) => match[1] ?? match[0]);
  const [first = '', ...rest] = words;
  const split = /^([A-Za-z0-9]+)=(.*)$/.exec(first);
  if (split !== null) return [split[1] ?? '', split[2] ?? '', ...rest].filter((word) => word !== '');
  if (rest[0] === '=') return [first, ...rest.slice(1)];
  if (rest[0]?.startsWith('=') === true) return [first, rest[0].slice(1), ...rest.slice(1)];
  return words;
}

function patternsFit(patterns: readonly string[], alias: string): boolean {
  if (patterns.some((pattern) => pattern.startsWith('!') && matchesPattern(pattern.slice(1), alias))) return false;
  return patterns.some((pattern) => !pattern.startsWith('!') && matchesPattern(pattern, alias));
}

interface Place {
  readonly file: string;
  readonly folder: string;
  readonly outer: Block['conditions'];
  readonly depth: number;
}

async function readBlocks(place: Place): Promise<readonly Block[]> {
  const blocks: Block[] = [];
  let conditions = place.outer;
  for (const line of (await readText(place.file)).split('\n')) {
    const [keyword = '', ...words] = wordsOf(line);
    const name = keyword.toLowerCase();
    if (name === '' || name.startsWith('#')) continue;
    // Also without options a Host line names a host.
    if (name === 'host') blocks.push({ conditions: (conditions = [...place.outer, words]), options: [] });
    else if (name === 'match') conditions = [...place.outer, words[0]?.toLowerCase() === 'all' ? ['*'] : null];
    else if (name === 'include') blocks.push(...(await readIncluded(words, { ...place, outer: conditions })));
    else blocks.push({ conditions, options: [{ name, words }] });
  }
  return blocks;
}

async function readIncluded(patterns: readonly string[], place: Place): Promise<readonly Block[]> {
  if (place.depth >= INCLUDE_DEPTH) return [];
  const files = (await Promise.all(patterns.map((pattern) => filesFor(pattern, place.folder)))).flat();
  const blocks: Block[] = [];
  for (const file of files) blocks.push(...(await readBlocks({ ...place, file, depth: place.depth + 1 })));
  return blocks;
}

/** The files an Include names, in order; a pattern may stand in any part of the path. */
async function filesFor(pattern: string, folder: string): Promise<readonly string[]> {
  const home = path.dirname(folder);
  const whole = path.resolve(folder, pattern.startsWith('~/') ? path.join(home, pattern.slice(2)) : pattern);
  const { root } = path.parse(whole);
  let found: readonly string[] = [root];
  for (const part of whole.slice(root.length).split(path.sep)) {
    const next = await Promise.all(found.map((base) => stepInto(base, part)));
    found = next.flat();
  }
  return found;
}

async function stepInto(base: string, part: string): Promise<readonly string[]> {
  if (!/[*?]/.test(part)) return [path.join(base, part)];
  const hidden = part.startsWith('.');
  const names = await fs.readdir(base).catch(() => []);
  const fitting = names.filter((name) => (hidden || !name.startsWith('.')) && matchesPattern(part, name));
  return fitting.toSorted().map((name) => path.join(base, name));
}

async function readText(file: string): Promise<string> {
  try {
    return await fs.readFile(file, 'utf8');
  } catch {
    // No configuration, or one that is not ours to read, is no fault: ssh passes it over as well.
    return '';
  }
}
