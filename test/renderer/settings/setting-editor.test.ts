import { describe, expect, it } from 'vitest';
import { editorFor, parseText, textOf } from '../../../src-renderer/components/settings/setting-editor.ts';
import { SETTINGS, SETTING_NAMES } from '../../../src-shared/settings/index.ts';

describe('fields of settings', () => {
  it('come from the schema', () => {
    expect(editorFor(SETTINGS.WEB_PORT)).toEqual({ kind: 'number' });
    expect(editorFor(SETTINGS.WEB_HOST)).toEqual({ kind: 'text' });
    expect(editorFor(SETTINGS.WEB_ALLOWED_HOSTS)).toEqual({ kind: 'list' });
    expect(editorFor(SETTINGS.LOG_LEVEL)).toEqual({ kind: 'choice', choices: ['debug', 'info', 'warn', 'error'] });
  });

  it.each(SETTING_NAMES)('show the default of %s and read it back', (name) => {
    const definition = SETTINGS[name];
    expect(parseText(definition, textOf(definition.default))).toEqual({ ok: true, value: definition.default });
  });

  it('say what is allowed when a text means no value', () => {
    const fault = { ok: false, fault: 'Allowed: a whole number from 1 to 65535.' };
    for (const text of ['', 'abc', '0', '80.5', '70000']) expect(parseText(SETTINGS.WEB_PORT, text)).toEqual(fault);
  });

  it('take lists apart at commas', () => {
    expect(parseText(SETTINGS.WEB_ALLOWED_HOSTS, ' a.example , b.example,')).toEqual({
      ok: true,
      value: ['a.example', 'b.example'],
    });
  });
});
