// Reads the packet filters of a link as callers write them, and checks them against what the link offers.
import { appError } from '../../../src-shared/errors.ts';
import type { AvailableFilter } from './records.ts';

type Parameter = AvailableFilter['parameters'][number];

/** Filters as the server takes them: a list of values each. */
export type FilterSet = Readonly<Record<string, readonly (number | string)[]>>;

/**
 * Single values become lists, missing ones their minimum; a filter whose first value is 0, empty or null is left out,
 * which is how the server drops it. Throws INVALID_PARAMS: the server itself stores a wrong filter and chokes on it later.
 */
export function readFilters(given: Readonly<Record<string, unknown>>, offered: readonly AvailableFilter[]): FilterSet {
  const wanted = Object.entries(given).filter(([, value]) => !isOff(value));
  if (wanted.length > 0 && offered.length === 0) {
    throw refusal('filters', 'cannot be set: neither end of this link can filter packets');
  }
  return Object.fromEntries(wanted.map(([name, value]) => [name, readFilter(name, value, offered)]));
}

function isOff(value: unknown): boolean {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return first == null || first === 0 || first === '' || first === '0';
}

function readFilter(name: string, value: unknown, offered: readonly AvailableFilter[]): (number | string)[] {
  const filter = offered.find(({ type }) => type === name);
  const names = offered.map(({ type }) => type).join(', ');
  if (filter === undefined) throw refusal(`filters.${name}`, `is not among the filters of this link: ${names}`);
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const [only] = filter.parameters;
  // Expressions may be given one by one; the server wants one text with a line for each.
  if (only?.type === 'text') return [values.map(String).join('\n')];
  if (values.length > filter.parameters.length) {
    throw refusal(`filters.${name}`, `takes at most ${filter.parameters.length} values`);
  }
  return filter.parameters.map((parameter, index) => readNumber(`filters.${name}`, parameter, values[index]));
}

function readNumber(field: string, { name, minimum = 0, maximum = Infinity, unit }: Parameter, value: unknown): number {
  if (value == null) return Math.max(0, minimum);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= minimum && number <= maximum) return number;
  const range = `${minimum} to ${maximum}${unit === undefined ? '' : ` ${unit}`}`;
  throw refusal(field, `has a ${name} that must be a whole number from ${range}, not ${JSON.stringify(value)}`);
}

function refusal(field: string, problem: string): Error {
  return appError('INVALID_PARAMS', { message: `${field} ${problem}`, details: { fields: [{ field, problem }] } });
}
