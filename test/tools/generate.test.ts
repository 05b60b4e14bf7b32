// Tests how the generated documents find tests and mark what has none.
import { describe, expect, it } from 'vitest';
import { acceptanceTable } from '../../scripts/generate/acceptance.mjs';
import { fieldCaseFaults } from '../../scripts/generate/field-cases.mjs';
import { replaceMarked, table } from '../../scripts/generate/markdown.mjs';
import { criteriaOf, titlesIn } from '../../scripts/generate/test-titles.mjs';

const criteria = {
  groups: [
    {
      title: 'A story',
      criteria: [
        { id: 'S1.1', text: 'First' },
        { id: 'S1.2', text: 'Second' },
      ],
    },
  ],
};

describe('titlesIn', () => {
  it('reads titles of tests and groups in any quotes', () => {
    const text = "describe('one', () => { it(`two`, f); test.each([1])('three', g); it(\"it's\", h); });";
    expect(titlesIn(text, 'a.test.ts')).toEqual([
      { title: 'one', group: true, file: 'a.test.ts' },
      { title: 'two', group: false, file: 'a.test.ts' },
      { title: 'three', group: false, file: 'a.test.ts' },
      { title: "it's", group: false, file: 'a.test.ts' },
    ]);
  });

  it('reads several criteria from one title', () => {
    expect(criteriaOf('[S1.1, S2.10] connects')).toEqual(['S1.1', 'S2.10']);
    expect(criteriaOf('connects [S1.1]')).toEqual([]);
  });
});

describe('the table of acceptance criteria', () => {
  it('names the test of a criterion, the criterion without one and the unknown id', () => {
    const titles = [
      { title: '[S1.1] works', group: false, file: 'a.test.ts' },
      { title: '[S9.9] works', group: false, file: 'a.test.ts' },
      { title: '[S1.2] is only a group', group: true, file: 'a.test.ts' },
    ];
    const { text, faults } = acceptanceTable(criteria, titles);
    expect(text).toContain('| S1.1 | First | works (`a.test.ts`) |');
    expect(faults).toEqual([
      'criterion S1.2 has no test: start a title with [S1.2]',
      'a test names S9.9, which is no criterion',
    ]);
  });
});

describe('the field cases', () => {
  it('have a section and a test each', () => {
    const titles = [{ title: 'FC41 ends', group: false, file: 'a.test.ts' }];
    expect(fieldCaseFaults('| FC41 | A | B |\n| FC42 | A | B |\n', titles)).toEqual([
      'FC42 is described in docs/field-cases.md but has no test',
    ]);
    expect(fieldCaseFaults('', titles)).toEqual(['FC41 has a test but no row in docs/field-cases.md']);
  });
});

describe('Markdown pieces', () => {
  it('keep a bar inside its cell', () => {
    expect(table(['a'], [['x|y']])).toBe('| a |\n|---|\n| x\\|y |');
  });

  it('replace only what stands between the marks', () => {
    const document = 'before <!-- generated:tools -->old<!-- /generated --> after';
    expect(replaceMarked(document, 'tools', 'new')).toBe(
      'before <!-- generated:tools -->\n\nnew\n\n<!-- /generated --> after',
    );
    expect(replaceMarked(document, 'other', 'new')).toBeUndefined();
  });
});
