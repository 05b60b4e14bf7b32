// Loads the settings: environment before file before default, every fault as one line.
import path from 'node:path';
import { SETTINGS, SETTING_NAMES } from '../../../src-shared/settings/index.ts';
import type { SettingDefinition, SettingName, SettingSource, Settings } from '../../../src-shared/settings/index.ts';
import { visibleText } from '../../../src-shared/visible-text.ts';
import { dataDirOf } from './data-dir.ts';
import type { Environment } from './data-dir.ts';
import { parseFromEnvironment, parseFromFile } from './parse-setting.ts';
import type { Parsed } from './parse-setting.ts';
import { readSettingsFile } from './settings-file.ts';
import { suggest } from './suggest.ts';

/** Settings that hold. */
export interface LoadedSettings {
  readonly ok: true;
  readonly settings: Settings;
  readonly sources: Readonly<Record<SettingName, SettingSource>>;
  /** Path of the settings file; it need not exist. */
  readonly file: string;
  readonly dataDir: string;
}

/** Why the program must not start: one line each, without secrets. */
export interface SettingFaults {
  readonly ok: false;
  readonly faults: readonly string[];
}

/** Loads and checks everything; reads one file and writes none. */
export async function loadSettings(environment: Environment): Promise<LoadedSettings | SettingFaults> {
  const dataDir = dataDirOf(environment);
  const given = environment['PATCHBAY_CONFIG'] ?? '';
  const file = given === '' ? path.join(dataDir, 'settings.json') : given;
  const relative = [...relativeFault('PATCHBAY_DATA_DIR', dataDir), ...relativeFault('PATCHBAY_CONFIG', file)];
  if (relative.length > 0) return { ok: false, faults: relative.slice(0, 1) };

  const content = await readSettingsFile(file, given === '');
  const fromFile = content.ok ? content.values : {};
  const unknown = Object.keys(fromFile).flatMap((key) => unknownFault(key, file));
  const rows = SETTING_NAMES.map((name) => ({ name, ...choose(name, environment, fromFile, file) }));
  const faults = [
    ...(content.ok ? [] : [content.fault]),
    ...unknown,
    ...rows.flatMap(({ parsed }) => (parsed.ok ? [] : [parsed.fault])),
  ];
  if (faults.length > 0) return { ok: false, faults: faults.map(visibleText) };
  return { ok: true, ...collect(rows), file, dataDir };
}

/** Checks one value that a person entered, as if it stood in the file. */
export function checkSetting(name: SettingName, value: unknown): Parsed {
  return parseFromFile(name, value, 'as entered');
}

interface Row {
  readonly name: SettingName;
  readonly source: SettingSource;
  readonly parsed: Parsed;
}

/** An empty environment variable counts as not set, as shells and containers mean it. */
function choose(
  name: SettingName,
  environment: Environment,
  fromFile: Readonly<Record<string, unknown>>,
  file: string,
): Omit<Row, 'name'> {
  const text = environment[name];
  if (text !== undefined && text.trim() !== '') {
    return { source: 'environment', parsed: parseFromEnvironment(name, text) };
  }
  const definition: SettingDefinition = SETTINGS[name];
  if (Object.hasOwn(fromFile, name) && definition.environmentOnly !== true) {
    return { source: 'file', parsed: parseFromFile(name, fromFile[name], `in ${file}`) };
  }
  return { source: 'default', parsed: { ok: true, value: definition.default } };
}

function collect(rows: readonly Row[]): Pick<LoadedSettings, 'settings' | 'sources'> {
  const values = Object.fromEntries(rows.map(({ name, parsed }) => [name, parsed.ok ? parsed.value : undefined]));
  const sources = Object.fromEntries(rows.map(({ name, source }) => [name, source]));
  // Each value went through its own schema and each name has a row, so both records are total.
  return { settings: values as Settings, sources: sources as Record<SettingName, SettingSource> };
}

function unknownFault(key: string, file: string): string[] {
  const known = SETTING_NAMES.find((name) => name === key);
  if (known !== undefined) {
    const definition: SettingDefinition = SETTINGS[known];
    return definition.environmentOnly === true ? [`${key} in ${file}: only the environment can set it`] : [];
  }
  const near = suggest(key, SETTING_NAMES.filter(canStandInFile));
  const advice =
    near === undefined ? `known settings: ${SETTING_NAMES.filter(canStandInFile).join(', ')}` : `did you mean ${near}?`;
  return [`${key} in ${file}: there is no such setting; ${advice}`];
}

function canStandInFile(name: SettingName): boolean {
  const definition: SettingDefinition = SETTINGS[name];
  return definition.environmentOnly !== true;
}

function relativeFault(name: SettingName, given: string): string[] {
  if (path.isAbsolute(given)) return [];
  return [`${name} in the environment: ${JSON.stringify(given)} is not allowed; allowed: ${SETTINGS[name].allowed}`];
}
