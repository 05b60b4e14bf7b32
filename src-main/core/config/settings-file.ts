// Reads the settings file and writes single settings back into it.
import { readFile } from 'node:fs/promises';
import { findJsonFault, findRepeatedName } from './json-fault.ts';
import { isMissing, reasonOf } from './system-error.ts';
import { writePrivate } from './write-private.ts';

/** The file's object, or one line about the fault. A file that does not exist is an empty one when `mayBeMissing`. */
export type FileContent =
  | { readonly ok: true; readonly values: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly fault: string };

/** Reads the whole file. */
export async function readSettingsFile(file: string, mayBeMissing: boolean): Promise<FileContent> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error) && mayBeMissing) return { ok: true, values: {} };
    return fault(file, `cannot be read: ${reasonOf(error)}`);
  }
  return parseText(file, text.replace(/^\uFEFF/, ''));
}

/** Sets one key, or removes it when `value` is undefined; all else in the file stays as it is. */
export async function saveSetting(file: string, name: string, value: unknown): Promise<FileContent> {
  const content = await readSettingsFile(file, true);
  if (!content.ok) return content;
  const values = Object.fromEntries(
    Object.entries({ ...content.values, [name]: value }).filter(([, v]) => v !== undefined),
  );
  await writePrivate(file, `${JSON.stringify(values, undefined, 2)}\n`);
  return { ok: true, values };
}

function parseText(file: string, text: string): FileContent {
  if (text.trim() === '') return { ok: true, values: {} };
  const syntax = findJsonFault(text);
  if (syntax !== undefined) {
    return fault(file, `line ${syntax.line}, column ${syntax.column}: not valid JSON, ${syntax.problem}`);
  }
  const repeated = findRepeatedName(text);
  if (repeated !== undefined) {
    return fault(file, `line ${repeated.line}, column ${repeated.column}: ${repeated.problem}`);
  }
  const values: unknown = JSON.parse(text);
  // No schema here: one that copies the object would lose a key called __proto__, which has to be refused by its name.
  if (!isObject(values)) return fault(file, 'must hold one JSON object of settings');
  return { ok: true, values };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fault(file: string, what: string): FileContent {
  return { ok: false, fault: `Settings file ${file}: ${what}` };
}
