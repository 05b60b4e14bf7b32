// The settings as they are when nobody has set any.
import { SETTINGS, SETTING_NAMES } from '../../src-shared/settings/index.ts';
import type { Settings } from '../../src-shared/settings/index.ts';

/** All defaults. */
export function defaultSettings(): Settings {
  // Each value is its own setting's default, and each name has one.
  return Object.fromEntries(SETTING_NAMES.map((name) => [name, SETTINGS[name].default])) as unknown as Settings;
}
