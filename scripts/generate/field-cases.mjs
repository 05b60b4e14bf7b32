// Checks that every field case that a test is named after is described, and that every one described has a test.
import { fieldCaseOf } from './test-titles.mjs';

/** What is wrong between docs/field-cases.md and the tests' titles. */
export function fieldCaseFaults(document, titles) {
  const described = new Set([...document.matchAll(/^\| (FC\d+) \|/gm)].map(([, id]) => id));
  const tested = new Set(titles.flatMap(({ title }) => fieldCaseOf(title) ?? []));
  return [
    ...[...tested].filter((id) => !described.has(id)).map((id) => `${id} has a test but no row in docs/field-cases.md`),
    ...[...described]
      .filter((id) => !tested.has(id))
      .map((id) => `${id} is described in docs/field-cases.md but has no test`),
  ];
}
