// One setting: its field, where its value comes from, what is wrong with what was typed.
import { useId, useState } from 'react';
import type * as z from 'zod';
import type { settingValueSchema } from '../../../src-shared/protocol/index.ts';
import { AppError } from '../../../src-shared/errors.ts';
import { SETTINGS } from '../../../src-shared/settings/index.ts';
import type { SettingDefinition, SettingName } from '../../../src-shared/settings/index.ts';
import { usePatchbay } from '../../state/context.ts';
import { editorFor, parseText, textOf } from './setting-editor.ts';

export type SettingValue = z.infer<typeof settingValueSchema>;

const SOURCES = {
  default: 'Default',
  file: 'From the settings file',
  environment: 'Set by the environment, which this page cannot change',
} as const;

interface SettingRowProps {
  readonly name: SettingName;
  readonly current: SettingValue;
  readonly saved: () => void;
}

/** Text, fault and saving of one field. */
function useSetting(name: SettingName, current: SettingValue, saved: () => void) {
  const { link } = usePatchbay();
  const definition: SettingDefinition = SETTINGS[name];
  const shown = textOf(current.value);
  const [text, setText] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [restart, setRestart] = useState(false);
  const save = async (typed: string): Promise<void> => {
    const parsed = parseText(definition, typed);
    if (!parsed.ok) return setFault(parsed.fault);
    setFault(null);
    if (typed === shown) return setText(null);
    try {
      const answer = await link.call('settings.set', { name, value: parsed.value });
      setRestart(answer.restart);
      setText(null);
      saved();
    } catch (error) {
      setFault(error instanceof AppError ? error.message : 'This could not be saved.');
    }
    return undefined;
  };
  return { definition, text: text ?? shown, setText, fault, restart, save };
}

type Row = ReturnType<typeof useSetting>;

function Editor({ row, id, locked }: { readonly row: Row; readonly id: string; readonly locked: boolean }) {
  const editor = editorFor(row.definition);
  const common = {
    id,
    disabled: locked,
    'aria-invalid': row.fault !== null,
    'aria-describedby': `${id}-help`,
    value: row.text,
  };
  if (editor.kind === 'choice') {
    return (
      <select
        {...common}
        onChange={(event) => {
          row.setText(event.currentTarget.value);
          void row.save(event.currentTarget.value);
        }}
      >
        {editor.choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    );
  }
  return (
    <input
      {...common}
      className="mono"
      inputMode={editor.kind === 'number' ? 'decimal' : 'text'}
      placeholder={textOf(row.definition.default)}
      spellCheck={false}
      onChange={(event) => row.setText(event.currentTarget.value)}
      onBlur={() => void row.save(row.text)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') void row.save(row.text);
      }}
    />
  );
}

/** The row. */
export function SettingRow({ name, current, saved }: SettingRowProps) {
  const row = useSetting(name, current, saved);
  const id = useId();
  const { definition, fault, restart } = row;
  const locked = current.source === 'environment' || definition.environmentOnly === true;
  return (
    <div className="setting">
      <div className="setting-words">
        <label htmlFor={id}>{definition.label}</label>
        <p className="help" id={`${id}-help`}>
          {definition.help}
        </p>
      </div>
      <div className="setting-value">
        <Editor row={row} id={id} locked={locked} />
        {fault !== null && (
          <p className="help fault" role="alert">
            {fault}
          </p>
        )}
        {restart && (
          <p className="help tone-warn" role="status">
            Takes effect at the next start
          </p>
        )}
        {fault === null && !restart && (
          <p className="help">
            {SOURCES[current.source]} <code>{name}</code>
          </p>
        )}
      </div>
    </div>
  );
}
