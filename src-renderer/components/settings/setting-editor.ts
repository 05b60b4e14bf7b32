// How the text in a field becomes the value of a setting, by the setting's own schema.
import * as z from 'zod';
import type { SettingDefinition } from '../../../src-shared/settings/index.ts';

/** What kind of field a setting has. */
export type EditorKind =
  { readonly kind: 'text' | 'number' | 'list' } | { readonly kind: 'choice'; readonly choices: readonly string[] };

/** The kind, from the schema. */
export function editorFor({ schema }: SettingDefinition): EditorKind {
  if (schema instanceof z.ZodEnum) return { kind: 'choice', choices: schema.options.map(String) };
  if (schema instanceof z.ZodArray) return { kind: 'list' };
  return { kind: schema instanceof z.ZodNumber ? 'number' : 'text' };
}

/** The value as text for the field. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(', ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The value that a text means, or why it means none. */
export type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly fault: string };

function raw(kind: EditorKind['kind'], text: string): unknown {
  if (kind === 'number') return text.trim() === '' ? Number.NaN : Number(text);
  if (kind !== 'list') return text;
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

/** Checks a text against the schema. */
export function parseText(definition: SettingDefinition, text: string): Parsed {
  const result = definition.schema.safeParse(raw(editorFor(definition).kind, text));
  if (result.success) return { ok: true, value: result.data };
  return { ok: false, fault: `Allowed: ${definition.allowed}.` };
}
