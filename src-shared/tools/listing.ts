// A tool as clients see it in a list: compact JSON Schema, annotations, and hints that some clients read.
import * as z from 'zod';
import { toolDescription } from './define-tool.ts';
import type { ToolDeclaration } from './define-tool.ts';

/** A JSON Schema of an object, as listed. */
export interface ObjectJsonSchema {
  readonly type: 'object';
  readonly [keyword: string]: unknown;
}

/** One entry of tools/list. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectJsonSchema;
  readonly outputSchema: ObjectJsonSchema;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  /** Absent when there is nothing to say. */
  readonly _meta?: Readonly<Record<string, unknown>>;
}

type Json = Readonly<Record<string, unknown>>;
type LeaveOut = (keyword: string, value: unknown) => boolean;

/** Marks of ours in schemas that are nobody else's business. */
const OWN_MARKS = new Set(['secret', 'trim', '$schema']);

/**
 * What a reader of results does not need: bounds and choices of values that we make ourselves, and `required` and
 * `additionalProperties`, so that a client that kept an older list takes results with a field or a word more.
 * What the fields mean stands in docs/tools.md: few clients show a model the schema of a result.
 */
const NOT_IN_RESULTS = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'minLength', 'maxLength', 'pattern'],
  ...['enum', 'required', 'additionalProperties', 'description'],
]);

/** The entry of one tool; the whole list has to stay small, because some clients load all of it into the model. */
export function listTool(tool: ToolDeclaration): ListedTool {
  const meta = hints(tool);
  return {
    name: tool.name,
    title: tool.title,
    description: toolDescription(tool),
    inputSchema: objectSchema(z.toJSONSchema(tool.input, { io: 'input' }), isOwnMark),
    outputSchema: objectSchema(z.toJSONSchema(tool.output, { io: 'output' }), isNotInResults),
    annotations: {
      readOnlyHint: tool.effect === 'reads',
      destructiveHint: tool.effect === 'destroys',
      idempotentHint: tool.idempotent,
      openWorldHint: tool.effect !== 'reads',
    },
    ...(meta === undefined ? {} : { _meta: meta }),
  };
}

function hints(tool: ToolDeclaration): Json | undefined {
  const meta = {
    ...(tool.maxResultChars === undefined ? {} : { 'anthropic/maxResultSizeChars': tool.maxResultChars }),
    ...(tool.alwaysLoad === true ? { 'anthropic/alwaysLoad': true } : {}),
  };
  return Object.keys(meta).length === 0 ? undefined : meta;
}

const isOwnMark = (keyword: string): boolean => OWN_MARKS.has(keyword);

const isNotInResults = (keyword: string, value: unknown): boolean =>
  OWN_MARKS.has(keyword) || NOT_IN_RESULTS.has(keyword) || (keyword === 'items' && isPlainText(value));

/** A list of texts is the usual list: it is listed as a list. */
const isPlainText = (value: unknown): boolean => isJson(value) && value['type'] === 'string';

function objectSchema(schema: Json, leaveOut: LeaveOut): ObjectJsonSchema {
  return { ...compact(schema, leaveOut), type: 'object' };
}

function compact(schema: Json, leaveOut: LeaveOut): Json {
  // A schema can bring a shorter form of itself that lets through the same and hardly more.
  if (isJson(schema['listed'])) return schema['listed'];
  const flat = withoutNullBranch(schema);
  const kept = Object.entries(flat).filter(
    ([keyword, value]) => !leaveOut(keyword, value) && !isFormalBound(keyword, value),
  );
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, compactValue(keyword, value, leaveOut)]));
}

function compactValue(keyword: string, value: unknown, leaveOut: LeaveOut): unknown {
  if (keyword === 'properties' && isJson(value)) {
    const fields = Object.entries(value).map(([name, field]) => [
      name,
      isJson(field) ? compact(field, leaveOut) : field,
    ]);
    return Object.fromEntries(fields);
  }
  return keyword === 'items' && isJson(value) ? compact(value, leaveOut) : value;
}

/** zod gives every integer the bounds of a double's exact range; they and `at least one character` tell a reader nothing. */
const isFormalBound = (keyword: string, value: unknown): boolean =>
  ((keyword === 'minimum' || keyword === 'maximum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER) ||
  (keyword === 'minLength' && value === 1);

/** `anyOf: [X, null]` said shorter: X with `null` among its types. */
function withoutNullBranch(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const branches: unknown[] = anyOf;
  const [first, second] = branches;
  if (!isJson(first) || !isJson(second) || second['type'] !== 'null' || typeof first['type'] !== 'string')
    return schema;
  const choices = Array.isArray(first['enum']) ? { enum: [...(first['enum'] as unknown[]), null] } : {};
  return { ...first, ...choices, ...rest, type: [first['type'], 'null'] };
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
