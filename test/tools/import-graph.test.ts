// Tests the import-graph check with a sample that is wrong in every way, and with the real sources.
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findCycles } from '../../scripts/check/cycles.mjs';
import { importGraphFaults } from '../../scripts/check/import-graph.mjs';
import { importsOf } from '../../scripts/check/imports.mjs';

const below = (path: string) => fileURLToPath(new URL(path, import.meta.url));

describe('the import graph', () => {
  it('is told each fault of a sample with wrong imports, and nothing else', () => {
    expect(importGraphFaults(below('samples/wrong-imports')).toSorted()).toEqual([
      'import cycle: src-main/core/command.ts -> src-main/core/lane.ts -> src-main/core/command.ts',
      "src-main/bridge/bridge.ts: import of 'zod': bridge may import no package",
      "src-main/core/command.ts: import of './missing.ts': there is no such file",
      "src-main/core/session.ts: import of './lane': write the extension",
      "src-main/core/session.ts: import of 'electron': only src-main/electron/ may import it, because everything else also runs without Electron",
      "src-main/core/session.ts: import of 'path': write node:path",
      "src-main/core/session.ts: import of 'ssh2': only src-main/core/ssh/ may import it, because the connection stands behind the port of core/ssh",
      'src-main/core/ssh/index.ts: barrels exist in src-shared/*/ only',
      "src-renderer/window.tsx: import of '../src-main/core/session.ts': renderer may not import core; move the contract to src-shared or pass a port in",
      "src-shared/clock.ts: import of '../src-main/core/session.ts': shared may not import core; move the contract to src-shared or pass a port in",
      "src-shared/clock.ts: import of 'node:fs': shared is free of Node",
      'src-shared/model/index.ts: name what is re-exported, one by one',
    ]);
  });

  it('has no fault in the real sources', () => {
    expect(importGraphFaults(below('../..'))).toEqual([]);
  });
});

describe('importsOf', () => {
  it('finds statements over several lines, re-exports, types and calls', () => {
    const text = [
      "import a, { b } from 'one';",
      "import type { C } from 'two';",
      'export {',
      '  d,',
      "} from 'three';",
      "import 'four';",
      "const e = await import('five');",
      "/* import 'six'; */ // import 'seven';",
      "const f = `import 'eight';`;",
    ].join('\n');
    expect(importsOf(text).map(({ specifier, typeOnly }) => [specifier, typeOnly])).toEqual([
      ['one', false],
      ['two', true],
      ['three', false],
      ['four', false],
      ['five', false],
    ]);
  });
});

describe('findCycles', () => {
  it('finds nothing in a graph whose paths only meet again', () => {
    const edges = new Map([
      ['a', ['b', 'c']],
      ['b', ['d']],
      ['c', ['d']],
      ['d', []],
    ]);
    expect(findCycles(edges)).toEqual([]);
  });
});
