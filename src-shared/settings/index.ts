// The settings that all parts share.
export { SETTINGS, SETTING_NAMES } from './schema.ts';
export type { SettingDefinition, SettingName, SettingSection, SettingSource, Settings } from './schema.ts';
