// A page of settings that is built from the schema.
import { useCallback, useEffect, useState } from 'react';
import { SETTINGS, SETTING_NAMES } from '../../../src-shared/settings/index.ts';
import type { SettingSection } from '../../../src-shared/settings/index.ts';
import { usePatchbay } from '../../state/context.ts';
import { SettingRow } from './setting-row.tsx';
import type { SettingValue } from './setting-row.tsx';

interface Loaded {
  readonly values: ReadonlyMap<string, SettingValue>;
  readonly file: string;
}

/** The values as they are, and the way to ask again. */
function useSettings(): { readonly loaded: Loaded | null; readonly failed: boolean; readonly reload: () => void } {
  const { link } = usePatchbay();
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [failed, setFailed] = useState(false);
  const reload = useCallback((): void => {
    link.call('settings.get', {}).then(
      ({ settings, file }) => {
        setFailed(false);
        setLoaded({ values: new Map(settings.map((one) => [one.name, one])), file });
      },
      () => setFailed(true),
    );
  }, [link]);
  useEffect(reload, [reload]);
  return { loaded, failed, reload };
}

/** The rows of some sections. */
export function SchemaRows({ sections }: { readonly sections: readonly SettingSection[] }) {
  const { loaded, failed, reload } = useSettings();
  if (failed) {
    return (
      <p className="help fault" role="alert">
        The settings cannot be read now.{' '}
        <button type="button" className="link" onClick={reload}>
          Try again
        </button>
      </p>
    );
  }
  if (loaded === null) return <p className="help">Loading settings</p>;
  const names = SETTING_NAMES.filter((name) => sections.includes(SETTINGS[name].section) && loaded.values.has(name));
  return (
    <>
      <div className="settings-box">
        {names.map((name) => {
          const current = loaded.values.get(name);
          return current === undefined ? null : <SettingRow key={name} name={name} current={current} saved={reload} />;
        })}
      </div>
      <p className="help">
        Stored in <code className="wrap">{loaded.file}</code>
      </p>
    </>
  );
}
