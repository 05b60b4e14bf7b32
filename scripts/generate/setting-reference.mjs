// Makes the README's table of settings.
import { table } from './markdown.mjs';

/** One row for each setting. */
export function settingTable({ SETTINGS }) {
  const rows = Object.entries(SETTINGS).map(([name, setting]) => [
    `\`${name}\``,
    defaultText(setting.default),
    setting.allowed,
    setting.environmentOnly ? `${setting.help} Environment only.` : setting.help,
  ]);
  return table(['Name', 'Default', 'Allowed', 'What it is for'], rows);
}

const defaultText = (value) => (value === '' || (Array.isArray(value) && value.length === 0) ? 'none' : `\`${value}\``);
