// Reads a tool call's arguments as models send them: tolerant about form, strict about meaning.
import * as z from 'zod';
import { appError } from '../../src-shared/errors.ts';
import { hasPasswordInHost, holdsSecret, isMarked } from './secret-fields.ts';

/** Longest piece of a wrong value that an error shows, in characters. */
const SHOWN_CHARS = 80;

/** Arguments that passed. */
export interface ParsedArguments<Value> {
  readonly value: Value;
  /** Names of arguments that no schema knows; they were left out. */
  readonly ignored: readonly string[];
}

/** Throws INVALID_PARAMS that names each wrong field and shows its value, never a secret. */
export function parseArguments<Input extends z.ZodObject>(
  schema: Input,
  given: unknown,
): ParsedArguments<z.output<Input>> {
  const ignored: string[] = [];
  const tidied = tidy(schema, given == null || given === '' ? {} : given, { path: [], ignored });
  const parsed = schema.safeParse(tidied);
  if (hasPasswordInHost(valueAt(tidied, ['host']))) throw invalidParams([PASSWORD_IN_HOST]);
  if (parsed.success) return { value: parsed.data, ignored };
  throw invalidParams(parsed.error.issues.map((issue) => fieldFault(schema, tidied, issue)));
}

/** The error for arguments that each are well formed but do not fit together. */
export function invalidParams(faults: readonly FieldFault[], hint?: string): Error {
  const message = faults.map(({ field, problem }) => `${field} ${problem}`).join('; ');
  return appError('INVALID_PARAMS', { message, details: { fields: faults }, ...(hint === undefined ? {} : { hint }) });
}

/** One wrong argument: its path with dots, and what is wrong with it as the rest of a sentence. */
export interface FieldFault {
  readonly field: string;
  readonly problem: string;
}

const PASSWORD_IN_HOST: FieldFault = {
  field: 'host',
  problem: 'must not hold a password: a password belongs into credentials.password (its value is not shown)',
};

interface Place {
  readonly path: readonly string[];
  readonly ignored: string[];
}

function tidy(schema: unknown, value: unknown, place: Place): unknown {
  if (typeof value === 'string' && isMarked(schema, 'trim')) return value.trim();
  if (schema instanceof z.ZodOptional) return tidy(schema.unwrap(), value, place);
  if (schema instanceof z.ZodObject) return tidyObject(schema, value, place);
  if (schema instanceof z.ZodArray) return tidyList(schema, value, place);
  if (schema instanceof z.ZodNumber) return tidyNumber(value);
  if (schema instanceof z.ZodBoolean) return tidyBoolean(value);
  if (schema instanceof z.ZodEnum) return tidyChoice(schema, value);
  return schema instanceof z.ZodString && Number.isFinite(value) ? String(value) : value;
}

function tidyObject(schema: z.ZodObject, value: unknown, place: Place): unknown {
  const object = typeof value === 'string' ? fromJsonText(value, '{') : value;
  if (!isRecord(object)) return value;
  const known = new Map(Object.entries(schema.shape));
  for (const name of Object.keys(object)) if (!known.has(name)) place.ignored.push([...place.path, name].join('.'));
  const fields = [...known].map(([name, field]): [string, unknown] => {
    const inner = Object.hasOwn(object, name) ? object[name] : undefined;
    // null is how some models say "not given".
    return [name, inner == null ? undefined : tidy(field, inner, { ...place, path: [...place.path, name] })];
  });
  return Object.fromEntries(fields.filter(([, field]) => field !== undefined));
}

function tidyList(schema: z.ZodArray, value: unknown, place: Place): unknown {
  const read = typeof value === 'string' ? fromJsonText(value, '[') : value;
  const list: unknown = typeof read === 'string' ? [read] : read;
  if (!Array.isArray(list)) return value;
  const elements: unknown[] = list;
  return elements.map((one, index) => tidy(schema.element, one, { ...place, path: [...place.path, String(index)] }));
}

function tidyNumber(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[+-]?\d+(\.\d+)?(e[+-]?\d+)?\s*$/i.test(value)) return value;
  return Number(value);
}

function tidyBoolean(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const word = value.trim().toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : value;
}

function tidyChoice(schema: z.ZodEnum, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const word = value.trim().toLowerCase();
  return schema.options.find((option) => String(option).toLowerCase() === word) ?? value;
}

/** The value of a JSON text that starts as expected; else the text as it is. */
function fromJsonText(text: string, start: '{' | '['): unknown {
  if (!text.trimStart().startsWith(start)) return text;
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON after all: the check of the schema names the field.
    return text;
  }
}

function fieldFault(schema: z.ZodObject, tidied: unknown, issue: z.core.$ZodIssue): FieldFault {
  const path = issue.path.map(String);
  const field = schemaAt(schema, path);
  const value = valueAt(tidied, path);
  const name = path.join('.') || 'arguments';
  if (value === undefined) return { field: name, problem: 'is missing' };
  const hidden = holdsSecret(field);
  return {
    field: name,
    problem: `${expectation(field, issue)}${hidden ? ' (its value is not shown)' : `, not ${shown(value)}`}`,
  };
}

/** What the field has to be, as the rest of a sentence. */
function expectation(field: unknown, issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_format') return issue.message;
  if (field instanceof z.ZodOptional) return expectation(field.unwrap(), issue);
  if (field instanceof z.ZodNumber) return `must be ${numberWords(field)}`;
  if (field instanceof z.ZodBoolean) return 'must be true or false';
  if (field instanceof z.ZodEnum) return `must be one of ${field.options.join(', ')}`;
  if (field instanceof z.ZodArray)
    return issue.code === 'too_big' ? `must have at most ${issue.maximum} entries` : 'must be a list';
  if (field instanceof z.ZodObject) return 'must be an object';
  return field instanceof z.ZodString ? `must be ${textWords(issue)}` : issue.message;
}

function numberWords(field: z.ZodNumber): string {
  const kind = field.isInt ? 'a whole number' : 'a number';
  const { minimum, maximum, exclusiveMinimum } = z.toJSONSchema(field);
  const from =
    minimum === undefined ? (exclusiveMinimum === undefined ? '' : ` above ${exclusiveMinimum}`) : ` from ${minimum}`;
  const to =
    maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
      ? ''
      : ` ${from.startsWith(' from') ? 'to' : 'and at most'} ${maximum}`;
  return `${kind}${from}${to}`;
}

function textWords(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_small') return 'a text that is not empty';
  return issue.code === 'too_big' ? `a text of at most ${issue.maximum} characters` : 'a text';
}

function schemaAt(schema: unknown, path: readonly string[]): unknown {
  const plain = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  const [name, ...rest] = path;
  if (name === undefined) return schema;
  if (plain instanceof z.ZodObject) return schemaAt(plain.shape[name], rest);
  return plain instanceof z.ZodArray ? schemaAt(plain.element, rest) : undefined;
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  return isRecord(value) || Array.isArray(value)
    ? valueAt(Object.entries(value).find(([key]) => key === name)?.[1], rest)
    : undefined;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= SHOWN_CHARS ? text : `${text.slice(0, SHOWN_CHARS)}… (${text.length} characters)`;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
