// Turns what was given for one setting into its value, or into the line that says why not.
import { SETTINGS } from '../../../src-shared/settings/index.ts';
import type { SettingDefinition, SettingName } from '../../../src-shared/settings/index.ts';

/** A value as its schema gives it, or one line about the fault. */
export type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly fault: string };

/** Longest piece of a given value that a fault line shows, in characters. */
const SHOWN_MAX = 60;

/** Reads the text of an environment variable. Lists are separated by commas. */
export function parseFromEnvironment(name: SettingName, text: string): Parsed {
  return check(name, valueOf(SETTINGS[name], text.trim()), text, 'in the environment');
}

/** Reads a value of the settings file. `place` says which file, as in `in /home/...`. */
export function parseFromFile(name: SettingName, given: unknown, place: string): Parsed {
  return check(name, given, given, place);
}

function check(name: SettingName, candidate: unknown, given: unknown, place: string): Parsed {
  const definition: SettingDefinition = SETTINGS[name];
  const parsed = definition.schema.safeParse(candidate);
  if (parsed.success) return { ok: true, value: parsed.data };
  const shown = definition.secret === true ? 'the value given' : show(given);
  return { ok: false, fault: `${name} ${place}: ${shown} is not allowed; allowed: ${definition.allowed}` };
}

function valueOf(definition: SettingDefinition, text: string): unknown {
  if (Array.isArray(definition.default)) {
    return text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }
  if (typeof definition.default === 'number') return /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  return text;
}

function show(given: unknown): string {
  const text = JSON.stringify(given) ?? String(given);
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}...` : text;
}
