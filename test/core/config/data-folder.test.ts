// Where the data folder is, and what is kept in it: tokens, run file, quit marker, single settings.
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { dataDirOf, ensurePrivateFolder } from '../../../src-main/core/config/data-dir.ts';
import { clearQuit, markQuit, quitAt } from '../../../src-main/core/config/quit-marker.ts';
import { readRunFile, removeRunFile, writeRunFile } from '../../../src-main/core/config/run-file.ts';
import type { RunFile } from '../../../src-main/core/config/run-file.ts';
import { saveSetting } from '../../../src-main/core/config/settings-file.ts';
import { openTokens } from '../../../src-main/core/config/tokens.ts';
import { createSecretNet } from '../../../src-main/core/log/secret-net.ts';
import { tempFolder } from '../../support/temp.ts';

async function modeOf(file: string): Promise<number> {
  return (await stat(file)).mode & 0o777;
}

describe('dataDirOf', () => {
  it.each([
    ['linux', { HOME: '/home/ann' }, '/home/ann/.local/share/patchbay'],
    ['linux', { HOME: '/home/ann', XDG_DATA_HOME: '/data/ann' }, '/data/ann/patchbay'],
    ['linux', { HOME: '/home/ann', XDG_DATA_HOME: 'relative' }, '/home/ann/.local/share/patchbay'],
    ['linux', { HOME: '/home/ann', PATCHBAY_DATA_DIR: '/srv/pb' }, '/srv/pb'],
    ['linux', { HOME: '/home/ann', PATCHBAY_DATA_DIR: '' }, '/home/ann/.local/share/patchbay'],
    ['darwin', { HOME: '/Users/ann' }, '/Users/ann/Library/Application Support/Patchbay'],
    ['win32', { HOME: '/u', APPDATA: '/roaming' }, '/roaming/Patchbay'],
    ['win32', { HOME: '/u' }, '/u/AppData/Roaming/Patchbay'],
  ] as const)('on %s with %j gives %s', (platform, environment, expected) => {
    expect(dataDirOf(environment, platform)).toBe(expected);
  });

  it('is made for its owner only, also when it was open to others', async () => {
    const folder = path.join(await tempFolder(), 'a', 'b');
    await ensurePrivateFolder(folder);
    expect(await modeOf(folder)).toBe(0o700);
    const { chmod } = await import('node:fs/promises');
    await chmod(folder, 0o755);
    await ensurePrivateFolder(folder);
    expect(await modeOf(folder)).toBe(0o700);
  });
});

describe('tokens', () => {
  it('are three different ones of 256 bits, for their owner only, known to the secret net', async () => {
    const folder = await tempFolder();
    const secrets = createSecretNet();
    const { current } = await openTokens(folder, secrets);
    expect(new Set(Object.values(current)).size).toBe(3);
    for (const token of Object.values(current)) {
      expect(Buffer.from(token, 'base64url')).toHaveLength(32);
      expect(secrets.redact(`Bearer ${token}`)).toBe('Bearer [secret]');
    }
    expect(await modeOf(path.join(folder, 'tokens.json'))).toBe(0o600);
  });

  it('are the same after a restart, and others after they were renewed', async () => {
    const folder = await tempFolder();
    const first = await openTokens(folder, createSecretNet());
    const before = first.current;
    expect((await openTokens(folder, createSecretNet())).current).toEqual(before);
    await first.renew();
    expect(Object.values(first.current)).not.toContain(before.mcp);
    expect((await openTokens(folder, createSecretNet())).current).toEqual(first.current);
  });

  it.each(['', '{', '{"mcp":"short"}', 'null'])('are made anew where the file holds %j', async (text) => {
    const folder = await tempFolder();
    await writeFile(path.join(folder, 'tokens.json'), text);
    expect((await openTokens(folder, createSecretNet())).current.mcp).toHaveLength(43);
  });
});

describe('run file', () => {
  const content: RunFile = {
    agreement: 1,
    pid: process.pid,
    startedAt: 1_700_000_000_000,
    version: '1.2.3',
    mode: 'headless',
    mcpPort: 4000,
    mcpUrl: 'http://127.0.0.1:8080/mcp',
    monitorUrl: 'http://127.0.0.1:8080',
    tokens: { mcp: 'm', viewer: 'v', operator: 'o' },
  };

  it('comes back as it was written, for its owner only', async () => {
    const folder = await tempFolder();
    expect(await readRunFile(folder)).toBeUndefined();
    await writeRunFile(folder, content);
    expect(await readRunFile(folder)).toEqual(content);
    expect(await modeOf(path.join(folder, 'run.json'))).toBe(0o600);
  });

  it('is removed by the process that wrote it and by no other', async () => {
    const folder = await tempFolder();
    await writeRunFile(folder, content);
    await removeRunFile(folder, process.pid + 1);
    expect(await readRunFile(folder)).toEqual(content);
    await removeRunFile(folder, process.pid);
    expect(await readRunFile(folder)).toBeUndefined();
  });

  it.each([
    '',
    '{"pid":',
    '[]',
    '{}',
    JSON.stringify({ ...content, tokens: null }),
    JSON.stringify({ ...content, mode: 'x' }),
  ])('counts as none when it holds %j', async (text) => {
    const folder = await tempFolder();
    await writeFile(path.join(folder, 'run.json'), text);
    expect(await readRunFile(folder)).toBeUndefined();
  });
});

describe('quit marker', () => {
  it('tells when the person chose Quit, until the next start clears it', async () => {
    const folder = await tempFolder();
    expect(await quitAt(folder)).toBeUndefined();
    const before = Date.now();
    await markQuit(folder);
    expect(await quitAt(folder)).toBeGreaterThanOrEqual(before);
    await clearQuit(folder);
    expect(await quitAt(folder)).toBeUndefined();
  });
});

describe('saveSetting', () => {
  it('changes one key and leaves all others as they are', async () => {
    const file = path.join(await tempFolder(), 'settings.json');
    await writeFile(file, '{"LOG_LEVEL":"debug","WEB_PORT":9000}');
    await saveSetting(file, 'WEB_PORT', 9001);
    await saveSetting(file, 'SSH_TIMEOUT', 5);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ LOG_LEVEL: 'debug', WEB_PORT: 9001, SSH_TIMEOUT: 5 });
    await saveSetting(file, 'WEB_PORT', undefined);
    expect(await readFile(file, 'utf8')).toBe('{\n  "LOG_LEVEL": "debug",\n  "SSH_TIMEOUT": 5\n}\n');
  });

  it('writes nothing into a file that it cannot read', async () => {
    const file = path.join(await tempFolder(), 'settings.json');
    await writeFile(file, '{"LOG_LEVEL": debug}');
    expect(await saveSetting(file, 'WEB_PORT', 9001)).toMatchObject({ ok: false });
    expect(await readFile(file, 'utf8')).toBe('{"LOG_LEVEL": debug}');
  });
});
