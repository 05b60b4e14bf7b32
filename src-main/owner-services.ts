// What only the person at the window may see and change: settings, tokens, client entries.
import { appError } from '../src-shared/errors.ts';
import { SETTINGS, SETTING_NAMES } from '../src-shared/settings/index.ts';
import type { SettingDefinition, SettingName } from '../src-shared/settings/index.ts';
import { clientEntry } from './core/config/client-entry.ts';
import type { ProgramFacts } from './core/config/client-entry.ts';
import { checkSetting, loadSettings } from './core/config/load.ts';
import type { LoadedSettings } from './core/config/load.ts';
import { saveSetting } from './core/config/settings-file.ts';
import type { Tokens } from './core/config/tokens.ts';
import type { OwnerServices, SettingValue } from './gateway/port.ts';

/** What the services stand on. */
export interface OwnerParts {
  readonly loaded: LoadedSettings;
  readonly facts: ProgramFacts;
  readonly tokens: Tokens;
  /** Called after the tokens were renewed, so that the run file follows. */
  readonly tokensRenewed: () => Promise<void>;
  /** Called after a setting was written. */
  readonly settingChanged: (name: SettingName) => void;
}

/** The services that the gateway offers to the window. */
export function createOwnerServices(parts: OwnerParts): OwnerServices {
  let shown = parts.loaded;
  // One write after the other: two at once would each lose what the other wrote.
  let writing: Promise<unknown> = Promise.resolve();
  return {
    settings: () => ({ settings: SETTING_NAMES.map((name) => row(shown, name)), file: shown.file }),
    setSetting(name, value) {
      const work = writing.then(async () => {
        shown = await change(parts, shown, name, value);
        return { restart: true };
      });
      writing = work.catch(() => undefined);
      return work;
    },
    clientEntry: async () => ({
      claudeDesktop: clientEntry(parts.facts, 'claude-desktop'),
      claudeCode: clientEntry(parts.facts, 'claude-code'),
    }),
    tokens: () => ({ ...parts.tokens.current }),
    async renewTokens() {
      await parts.tokens.renew();
      await parts.tokensRenewed();
    },
  };
}

function row(loaded: LoadedSettings, name: SettingName): SettingValue {
  const { secret }: SettingDefinition = SETTINGS[name];
  return { name, value: secret === true ? null : loaded.settings[name], source: loaded.sources[name] };
}

/** Writes the setting (null: back to the default) and returns what holds from the next start on. */
async function change(parts: OwnerParts, shown: LoadedSettings, name: string, value: unknown): Promise<LoadedSettings> {
  const known = SETTING_NAMES.find((one) => one === name);
  if (known === undefined) throw invalid(`There is no setting called ${name.slice(0, 100)}`);
  const { environmentOnly }: SettingDefinition = SETTINGS[known];
  if (environmentOnly === true) throw invalid(`${known} can only be set in the environment`);
  if (shown.sources[known] === 'environment') {
    throw invalid(`${known} is set in the environment, which counts before the file`);
  }
  const parsed = value === null ? { ok: true as const, value: undefined } : checkSetting(known, value);
  if (!parsed.ok) throw invalid(parsed.fault);
  const written = await saveSetting(shown.file, known, parsed.value);
  if (!written.ok) throw invalid(written.fault);
  parts.settingChanged(known);
  const loaded = await loadSettings(parts.facts.environment);
  if (!loaded.ok) throw invalid(loaded.faults.join('; '));
  return loaded;
}

function invalid(message: string): Error {
  return appError('INVALID_PARAMS', { message, hint: 'Correct the value and save again.' });
}
