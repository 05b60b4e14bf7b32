// The own search for a JSON fault agrees with the engine about what is JSON.
import { expect, it } from 'vitest';
import { findJsonFault } from '../../../src-main/core/config/json-fault.ts';

const TEXTS = [
  '{}',
  '[]',
  ' {"a": [1, -2.5e+3, true, false, null, "\\u00e9\\n"], "b": {"c": ""}} ',
  '"text"',
  '0',
  '\u00a0{}',
  '{"a": 01}',
  '{"a": .5}',
  '{"a": 1.}',
  '{"a": +1}',
  '{"a": NaN}',
  "{'a': 1}",
  '{a: 1}',
  '{"a" 1}',
  '{"a": 1,}',
  '[1,]',
  '[1 2]',
  '{"a": "\n"}',
  '{"a": "\\x"}',
  '{"a": "\\u12"}',
  '{"a": "',
  '{',
  '[',
  '{}{}',
  'nul',
  '{"a": truex}',
  '',
];

it.each(TEXTS)('%j', (text) => {
  let isJson = true;
  try {
    JSON.parse(text);
  } catch {
    isJson = false;
  }
  expect(findJsonFault(text) === undefined).toBe(isJson);
});

it('counts lines and columns from 1', () => {
  expect(findJsonFault('{\n  "a": 1,\n  "b": oops\n}')).toEqual({
    line: 3,
    column: 8,
    problem: 'a value is expected',
  });
});
