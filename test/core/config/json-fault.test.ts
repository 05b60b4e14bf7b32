// The own search for a JSON fault agrees with the engine about what is JSON.
import { expect, it } from 'vitest';
import { findJsonFault, findRepeatedName } from '../../../src-main/core/config/json-fault.ts';

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

it.each([
  ['{"a": 1, "b": {"a": 2}, "c": [{"a": 1}, {"a": 1}]}', undefined],
  ['{"a": 1,\n "a": 2}', { line: 2, column: 2, problem: 'a stands here a second time' }],
  ['{"x": {"__proto__": 1, "__proto__": 2}}', { line: 1, column: 24, problem: '__proto__ stands here a second time' }],
])('%j has a name twice: %j', (text, fault) => expect(findRepeatedName(text)).toEqual(fault));
