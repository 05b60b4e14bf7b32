// Settings from environment and file, and every fault that stops a start.
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSettings } from '../../../src-main/core/config/load.ts';
import { SETTINGS, SETTING_NAMES } from '../../../src-shared/settings/index.ts';
import { tempFolder } from '../../support/temp.ts';

interface Case {
  readonly environment?: Readonly<Record<string, string>>;
  /** Text of settings.json. */
  readonly file?: string;
}

async function load({ environment = {}, file }: Case) {
  const dataDir = await tempFolder();
  if (file !== undefined) await writeFile(path.join(dataDir, 'settings.json'), file);
  const result = await loadSettings({ PATCHBAY_DATA_DIR: dataDir, ...environment });
  // The folder's name differs from run to run.
  const faults = result.ok ? [] : result.faults.map((line) => line.replaceAll(dataDir, '<data>'));
  return { result, faults, dataDir };
}

describe('what is taken', () => {
  it('gives the defaults when nothing is set', async () => {
    const { result, dataDir } = await load({});
    expect(result).toEqual({
      ok: true,
      dataDir,
      file: path.join(dataDir, 'settings.json'),
      settings: {
        ...Object.fromEntries(SETTING_NAMES.map((name) => [name, SETTINGS[name].default])),
        PATCHBAY_DATA_DIR: dataDir,
      },
      sources: {
        ...Object.fromEntries(SETTING_NAMES.map((name) => [name, 'default'])),
        PATCHBAY_DATA_DIR: 'environment',
      },
    });
  });

  it('takes the environment before the file and the file before the default', async () => {
    const { result } = await load({
      environment: { WEB_PORT: '9001', WEB_ALLOWED_HOSTS: 'lab.example, desk.example,' },
      file: '{"WEB_PORT": 9002, "SSH_TIMEOUT": 7}',
    });
    expect(result).toMatchObject({
      ok: true,
      settings: {
        WEB_PORT: 9001,
        SSH_TIMEOUT: 7,
        MAX_SESSIONS: 10,
        WEB_ALLOWED_HOSTS: ['lab.example', 'desk.example'],
      },
      sources: { WEB_PORT: 'environment', SSH_TIMEOUT: 'file', MAX_SESSIONS: 'default' },
    });
  });

  it('reads another file when PATCHBAY_CONFIG names one', async () => {
    const folder = await tempFolder();
    const file = path.join(folder, 'mine.json');
    await writeFile(file, '\uFEFF{"LOG_LEVEL": "debug"}');
    const { result } = await load({ environment: { PATCHBAY_CONFIG: file }, file: '{"LOG_LEVEL": "error"}' });
    expect(result).toMatchObject({ ok: true, file, settings: { LOG_LEVEL: 'debug' } });
  });

  it('counts an empty variable as not set, and an empty file as one without settings', async () => {
    const { result } = await load({ environment: { WEB_PORT: '', LOG_LEVEL: ' ' }, file: '' });
    expect(result).toMatchObject({ ok: true, settings: { WEB_PORT: 8080, LOG_LEVEL: 'info' } });
  });
});

const IN_FILE = SETTING_NAMES.filter((name) => !name.startsWith('PATCHBAY_')).join(', ');
const PORTS = 'a whole number from 1 to 65535';
const FAULTS: readonly (Case & { readonly title: string; readonly lines: readonly string[] })[] = [
  ...['80a', '0', '65536', '-1', '80.5', '0x50', '1e3'].map((text) => ({
    title: `WEB_PORT ${text} in the environment`,
    environment: { WEB_PORT: text },
    lines: [`WEB_PORT in the environment: "${text}" is not allowed; allowed: ${PORTS}`],
  })),
  {
    title: 'a port as text in the file',
    file: '{"WEB_PORT": "8080"}',
    lines: [`WEB_PORT in <data>/settings.json: "8080" is not allowed; allowed: ${PORTS}`],
  },
  {
    title: 'a time-out of zero',
    environment: { SSH_TIMEOUT: '0' },
    lines: ['SSH_TIMEOUT in the environment: "0" is not allowed; allowed: a whole number of seconds from 1 to 600'],
  },
  {
    title: 'a limit of sessions that is no number',
    environment: { MAX_SESSIONS: 'ten' },
    lines: ['MAX_SESSIONS in the environment: "ten" is not allowed; allowed: a whole number from 1 to 1000'],
  },
  {
    title: 'a log level that there is not',
    environment: { LOG_LEVEL: 'verbose' },
    lines: ['LOG_LEVEL in the environment: "verbose" is not allowed; allowed: debug, info, warn or error'],
  },
  {
    title: 'several faults at once, from both places',
    environment: { WEB_PORT: 'x', LOG_LEVEL: 'INFO' },
    file: '{"SSH_TIMEOUT": null, "MAX_SESIONS": 4}',
    lines: [
      'MAX_SESIONS in <data>/settings.json: there is no such setting; did you mean MAX_SESSIONS?',
      `WEB_PORT in the environment: "x" is not allowed; allowed: ${PORTS}`,
      'SSH_TIMEOUT in <data>/settings.json: null is not allowed; allowed: a whole number of seconds from 1 to 600',
      'LOG_LEVEL in the environment: "INFO" is not allowed; allowed: debug, info, warn or error',
    ],
  },
  {
    title: 'a misspelt key in another case',
    file: '{"web-port": 8080}',
    lines: ['web-port in <data>/settings.json: there is no such setting; did you mean WEB_PORT?'],
  },
  {
    title: 'a key that only the environment can set',
    file: '{"PATCHBAY_DATA_DIR": "/srv"}',
    lines: ['PATCHBAY_DATA_DIR in <data>/settings.json: only the environment can set it'],
  },
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty'].map((key) => ({
    title: `a key called ${key}`,
    file: `{"${key}": {"WEB_PORT": 9999}}`,
    lines: [`${key} in <data>/settings.json: there is no such setting; known settings: ${IN_FILE}`],
  })),
  {
    title: 'a key with a character that reorders the line',
    file: '{"zz\u202ezzzz": 1}',
    lines: [`zz<U+202E>zzzz in <data>/settings.json: there is no such setting; known settings: ${IN_FILE}`],
  },
  {
    title: 'a key that stands twice',
    file: '{"WEB_PORT": 8080,\n  "LOG_LEVEL": "info", "WEB\\u005fPORT": 8081}',
    lines: ['Settings file <data>/settings.json: line 2, column 24: WEB_PORT stands here a second time'],
  },
  {
    title: 'a missing comma',
    file: '{\n  "WEB_PORT": 8080\n  "SSH_TIMEOUT": 30\n}',
    lines: ['Settings file <data>/settings.json: line 3, column 3: not valid JSON, a comma or } is expected'],
  },
  {
    title: 'a comma too many',
    file: '{"WEB_PORT": 8080,}',
    lines: [
      'Settings file <data>/settings.json: line 1, column 19: not valid JSON, a name in double quotes is expected',
    ],
  },
  {
    title: 'a file that was cut',
    file: '{"WEB_PORT": 80',
    lines: [
      'Settings file <data>/settings.json: line 1, column 16: not valid JSON, the file ends where a comma or } is expected',
    ],
  },
  {
    title: 'a comment',
    file: '// mine\n{}',
    lines: ['Settings file <data>/settings.json: line 1, column 1: not valid JSON, a value is expected'],
  },
  {
    title: 'a list in place of an object',
    file: '[]',
    lines: ['Settings file <data>/settings.json: must hold one JSON object of settings'],
  },
  {
    title: 'a very long value, which is cut',
    environment: { LOG_LEVEL: 'x'.repeat(500) },
    lines: [`LOG_LEVEL in the environment: "${'x'.repeat(59)}... is not allowed; allowed: debug, info, warn or error`],
  },
  {
    title: 'a relative data folder',
    environment: { PATCHBAY_DATA_DIR: 'data' },
    lines: ['PATCHBAY_DATA_DIR in the environment: "data" is not allowed; allowed: an absolute path'],
  },
];

describe('what stops the start, one line per fault', () => {
  it.each(FAULTS)('$title', async ({ lines, ...given }) => {
    expect((await load(given)).faults).toEqual(lines);
  });

  it('names a key without a near relative together with all that there are', async () => {
    const { faults } = await load({ file: '{"COLOUR": "blue"}' });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/^COLOUR in <data>\/settings.json: there is no such setting; known settings: WEB_PORT, /);
    expect(faults[0]).not.toContain('PATCHBAY_DATA_DIR');
  });

  it('says that a file named by the person does not exist', async () => {
    const { faults } = await load({ environment: { PATCHBAY_CONFIG: '/nowhere/at-all.json' } });
    expect(faults).toEqual(['Settings file /nowhere/at-all.json: cannot be read: no such file or folder']);
  });

  it('says that the file is a folder', async () => {
    const folder = await tempFolder();
    await mkdir(path.join(folder, 'settings.json'));
    const result = await loadSettings({ PATCHBAY_DATA_DIR: folder });
    expect(result).toEqual({
      ok: false,
      faults: [`Settings file ${folder}/settings.json: cannot be read: it is a folder`],
    });
  });

  it('says that the file may not be read', async () => {
    const folder = await tempFolder();
    await chmod(folder, 0o711);
    await writeFile(path.join(folder, 'settings.json'), '{}');
    await chmod(path.join(folder, 'settings.json'), 0);
    expect(await asOrdinaryUser(() => loadSettings({ PATCHBAY_DATA_DIR: folder }))).toEqual({
      ok: false,
      faults: [`Settings file ${folder}/settings.json: cannot be read: permission denied`],
    });
  });
});

/** Root reads everything, so it steps down for the moment. */
async function asOrdinaryUser<Result>(work: () => Promise<Result>): Promise<Result> {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
