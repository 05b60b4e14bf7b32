// Makes the table of acceptance criteria with the tests that show each.
import { criteriaOf } from './test-titles.mjs';
import { table } from './markdown.mjs';

const NOTE = '<!-- Made by scripts/generate.mjs from docs/acceptance-criteria.json and the titles of the tests. -->';

/**
 * docs/acceptance.md and what is wrong: criteria without a test and ids that no criterion has.
 * @param {{groups: {title: string, criteria: {id: string, text: string}[]}[]}} list
 * @param {{title: string, group: boolean, file: string}[]} titles
 */
export function acceptanceTable(list, titles) {
  const tests = testsById(titles.filter(({ group }) => !group));
  const known = new Set(list.groups.flatMap(({ criteria }) => criteria.map(({ id }) => id)));
  const faults = [
    ...[...known].filter((id) => !tests.has(id)).map((id) => `criterion ${id} has no test: start a title with [${id}]`),
    ...[...tests.keys()].filter((id) => !known.has(id)).map((id) => `a test names ${id}, which is no criterion`),
  ];
  const sections = list.groups.flatMap(({ title, criteria }) => [
    `## ${title}`,
    '',
    criteriaTable(criteria, tests),
    '',
  ]);
  return { text: [NOTE, '# Acceptance criteria and their tests', '', ...sections].join('\n'), faults };
}

function testsById(titles) {
  const tests = new Map();
  for (const { title, file } of titles) {
    for (const id of criteriaOf(title)) tests.set(id, [...(tests.get(id) ?? []), { title, file }]);
  }
  return tests;
}

function criteriaTable(criteria, tests) {
  const shown = (id) => (tests.get(id) ?? []).map(({ title, file }) => `${bare(title)} (\`${file}\`)`).join('<br>');
  return table(
    ['Id', 'Criterion', 'Tests'],
    criteria.map(({ id, text }) => [id, text, shown(id)]),
  );
}

const bare = (title) => title.replace(/^\[[^\]]*\]\s*/, '');
