// Reads the import statements of TypeScript sources.
import fs from 'node:fs';
import path from 'node:path';
import { filesBelow } from '../setup/stamp.mjs';

const STATEMENT = /(?:^|[;}\n])\s*(import|export)\s+(type\s)?(?:[\w\s{},*$]*?\sfrom\s*)?['"]([^'"\n]+)['"]/g;
const CALL = /\b(?:import|require)\(\s*['"]([^'"\n]+)['"]\s*\)/g;

/**
 * The imports of all sources below the given folders.
 * @returns {Map<string, {specifier: string, typeOnly: boolean, star: boolean}[]>} by file, relative to the root
 */
export function readImports(root, folders) {
  const files = folders.flatMap((folder) => filesBelow(path.join(root, folder))).filter((file) => /\.tsx?$/.test(file));
  return new Map(files.map((file) => [slashed(path.relative(root, file)), importsOf(fs.readFileSync(file, 'utf8'))]));
}

/**
 * The imports and re-exports in one source text.
 * @param {string} text
 * @returns {{specifier: string, typeOnly: boolean, star: boolean}[]}
 */
export function importsOf(text) {
  const code = withoutComments(text);
  const statements = [...code.matchAll(STATEMENT)].map(([whole, , type, specifier]) => ({
    specifier,
    typeOnly: type !== undefined,
    star: /export\s+\*\s+from/.test(whole),
  }));
  const calls = [...code.matchAll(CALL)].map(([, specifier]) => ({ specifier, typeOnly: false, star: false }));
  return [...statements, ...calls];
}

/** Blanks out comments, but not what looks like one inside a string. */
function withoutComments(text) {
  return text.replace(
    /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
    (all, string) => (string === undefined ? '' : string.startsWith('`') ? '``' : all),
  );
}

const slashed = (file) => file.split(path.sep).join('/');
