// Finds the arguments that hold secrets by the mark in their schema, and takes them out of what is kept.
import * as z from 'zod';

/** What stands in place of a secret. */
const MASK = '[secret]';

/** Names under which clients also send secrets where no schema expects one. */
const SECRET_NAME = /passw|passphrase|secret|token|credential|private.?key|api.?key|authorization/i;

/** Whether a host is written as user:password@host, which would carry the password wherever the host is shown. */
export function hasPasswordInHost(value: unknown): boolean {
  return typeof value === 'string' && /:.*@/s.test(value.replace(/^\s*(ssh|sftp|scp):\/\//i, ''));
}

/** A field that is marked as a secret. */
export const isSecret = (schema: unknown): boolean => isMarked(schema, 'secret');

/** A field with this mark, on itself or inside `optional()`. */
export function isMarked(schema: unknown, mark: 'secret' | 'trim'): boolean {
  if (!(schema instanceof z.ZodType)) return false;
  return schema.meta()?.[mark] === true || (schema instanceof z.ZodOptional && isMarked(schema.unwrap(), mark));
}

/** A field that is, or has inside it, a field marked as a secret. */
export function holdsSecret(schema: unknown): boolean {
  const plain = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  if (plain instanceof z.ZodObject) return Object.values(plain.shape).some(holdsSecret);
  return plain instanceof z.ZodArray ? holdsSecret(plain.element) : isSecret(schema);
}

/** The secrets among arguments that passed the schema. */
export function secretsIn(schema: unknown, value: unknown): readonly string[] {
  const plain = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  if (isSecret(schema)) return typeof value === 'string' ? [value] : [];
  if (!(plain instanceof z.ZodObject) || !isRecord(value)) return [];
  return Object.entries(plain.shape).flatMap(([name, field]) => secretsIn(field, value[name]));
}

/** Arguments that passed the schema, without their secrets: what the journal keeps. */
export function withoutSecrets(schema: z.ZodObject, value: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) return {};
  const kept = Object.entries(schema.shape).flatMap(([name, field]): [string, unknown][] => {
    if (value[name] === undefined) return [];
    if (isSecret(field)) return [[name, MASK]];
    const plain: unknown = field instanceof z.ZodOptional ? field.unwrap() : field;
    return [[name, plain instanceof z.ZodObject ? withoutSecrets(plain, value[name]) : value[name]]];
  });
  return Object.fromEntries(kept);
}

/**
 * Anything a client sent, before it was checked, with secrets marked out: by the schema where there is one, by telling
 * names elsewhere. A text in the place of an object that holds secrets (JSON as text) is left out whole.
 */
export function maskUnchecked(schema: z.ZodObject | undefined, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => maskUnchecked(undefined, one));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, maskField(schema?.shape[name], name, inner)]),
  );
}

/** The arguments of a tool call, which some clients send as one JSON text; a text that cannot be read is left out. */
export function maskArguments(schema: z.ZodObject | undefined, given: unknown): unknown {
  if (typeof given !== 'string') return maskUnchecked(schema, given);
  try {
    const read: unknown = JSON.parse(given);
    return isRecord(read) ? maskUnchecked(schema, read) : MASK;
  } catch {
    // Not JSON: it may hold anything.
    return MASK;
  }
}

function maskField(field: unknown, name: string, value: unknown): unknown {
  if (isSecret(field) || (/host/i.test(name) && hasPasswordInHost(value))) return MASK;
  const plain = field instanceof z.ZodOptional ? field.unwrap() : field;
  if (plain instanceof z.ZodObject && isRecord(value)) return maskUnchecked(plain, value);
  if (plain === undefined ? SECRET_NAME.test(name) : holdsSecret(plain)) return MASK;
  return plain === undefined ? maskUnchecked(undefined, value) : value;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
