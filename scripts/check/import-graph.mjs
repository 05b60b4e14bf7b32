// Checks the import graph: directions between rooms, owned packages, cycles, extensions and barrels.
import { existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { findCycles } from './cycles.mjs';
import { readImports } from './imports.mjs';
import { OWNED_PACKAGES, roomOf } from './rooms.mjs';

const FOLDERS = ['src-shared', 'src-main', 'src-renderer'];

/**
 * All faults of the import graph below a root, one line each; none when all is well.
 * @param {string} root
 * @returns {string[]}
 */
export function importGraphFaults(root) {
  const graph = readImports(root, FOLDERS);
  const faults = [...graph].flatMap(([file, imports]) => [
    ...barrelFaults(file, imports),
    ...imports.flatMap((one) => importFault(root, file, one.specifier) ?? []),
  ]);
  return [...faults, ...cycleFaults(graph)];
}

function importFault(root, file, specifier) {
  const say = (reason) => `${file}: import of '${specifier}': ${reason}`;
  const room = roomOf(file);
  if (specifier.startsWith('.')) return relativeFault(root, file, specifier, say);
  if (specifier.startsWith('node:')) return room.builtins ? undefined : say(`${room.name} is free of Node`);
  if (isBuiltin(specifier)) return say(`write node:${specifier}`);
  const owned = OWNED_PACKAGES.find(({ matches }) => matches.test(specifier));
  if (owned && !file.startsWith(owned.at)) return say(`only ${owned.at} may import it, because ${owned.reason}`);
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  if (room.packages && !room.packages.includes(name)) {
    return say(`${room.name} may import ${room.packages.join(', ') || 'no package'}`);
  }
  return undefined;
}

function relativeFault(root, file, specifier, say) {
  const target = resolved(file, specifier);
  const bare = specifier.replace(/\?.*$/, '');
  if (!/\.(tsx?|css|json|svg|png)$/.test(bare)) return say('write the extension');
  if (!existsSync(path.join(root, target))) return say('there is no such file');
  if (target === 'package.json') return undefined;
  const [from, to] = [roomOf(file), roomOf(target)];
  if (to === undefined) return say('it lies outside the sources');
  if (to !== from && !from.may.includes(to.name)) {
    return say(`${from.name} may not import ${to.name}; move the contract to src-shared or pass a port in`);
  }
  return undefined;
}

function barrelFaults(file, imports) {
  const isIndex = /(^|\/)index\.tsx?$/.test(file);
  const faults =
    isIndex && !/^src-shared\/[^/]+\/index\.ts$/.test(file) ? [`${file}: barrels exist in src-shared/*/ only`] : [];
  return imports.some(({ star }) => star) ? [...faults, `${file}: name what is re-exported, one by one`] : faults;
}

/** Types vanish at run time, so a cycle that a type-only import closes is no cycle. */
function cycleFaults(graph) {
  const edges = new Map(
    [...graph].map(([file, imports]) => [
      file,
      imports
        .filter(({ specifier, typeOnly }) => specifier.startsWith('.') && !typeOnly)
        .map(({ specifier }) => resolved(file, specifier)),
    ]),
  );
  return findCycles(edges).map((cycle) => `import cycle: ${[...cycle, cycle[0]].join(' -> ')}`);
}

function resolved(file, specifier) {
  return path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier.replace(/\?.*$/, '')));
}
