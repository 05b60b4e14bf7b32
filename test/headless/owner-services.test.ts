// What the person at the window may change: settings, tokens, and the entries for clients.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSettings } from '../../src-main/core/config/load.ts';
import { openTokens } from '../../src-main/core/config/tokens.ts';
import { createSecretNet } from '../../src-main/core/log/secret-net.ts';
import { createOwnerServices } from '../../src-main/owner-services.ts';
import { watchIdle } from '../../src-main/idle-exit.ts';
import { waitFor } from '../support/processes.ts';
import { tempFolder } from '../support/temp.ts';

async function services(more: Readonly<Record<string, string>> = {}) {
  const dataDir = await tempFolder();
  const environment = { PATCHBAY_DATA_DIR: dataDir, ...more };
  const loaded = await loadSettings(environment);
  if (!loaded.ok) throw new Error(loaded.faults.join());
  const changed: string[] = [];
  const renewed: string[] = [];
  const tokens = await openTokens(dataDir, createSecretNet());
  const owner = createOwnerServices({
    loaded,
    facts: { execPath: '/usr/bin/node', isElectron: false, outDir: '/srv/out', environment },
    tokens,
    tokensRenewed: async () => void renewed.push(tokens.current.mcp),
    settingChanged: (name) => void changed.push(name),
  });
  return { owner, file: path.join(dataDir, 'settings.json'), changed, renewed };
}

describe('settings', () => {
  it('are written into the file one by one, and shown as they will be from the next start on', async () => {
    const { owner, file, changed } = await services();
    expect(await owner.setSetting('WEB_PORT', 9000)).toEqual({ restart: true });
    await Promise.all([owner.setSetting('SSH_TIMEOUT', 5), owner.setSetting('WEB_ALLOWED_HOSTS', ['a.example'])]);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      WEB_PORT: 9000,
      SSH_TIMEOUT: 5,
      WEB_ALLOWED_HOSTS: ['a.example'],
    });
    expect(owner.settings().settings).toContainEqual({ name: 'WEB_PORT', value: 9000, source: 'file' });
    expect(owner.settings().file).toBe(file);
    expect(changed).toEqual(['WEB_PORT', 'SSH_TIMEOUT', 'WEB_ALLOWED_HOSTS']);
  });

  it('go back to the default with null', async () => {
    const { owner, file } = await services();
    await owner.setSetting('WEB_PORT', 9000);
    await owner.setSetting('WEB_PORT', null);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({});
    expect(owner.settings().settings).toContainEqual({ name: 'WEB_PORT', value: 8080, source: 'default' });
  });

  it.each([
    ['WEB_PORT', '80a', /^WEB_PORT as entered: "80a" is not allowed; allowed: a whole number from 1 to 65535$/],
    ['WEB_PROT', 80, /^There is no setting called WEB_PROT$/],
    ['PATCHBAY_DATA_DIR', '/x', /can only be set in the environment$/],
    ['LOG_LEVEL', 'debug', /^LOG_LEVEL is set in the environment, which counts before the file$/],
  ])('refuse %s = %j and write nothing', async (name, value, message) => {
    const { owner, file, changed } = await services({ LOG_LEVEL: 'warn' });
    await expect(owner.setSetting(name, value)).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringMatching(message) as unknown,
    });
    await expect(readFile(file)).rejects.toThrow('ENOENT');
    expect(changed).toEqual([]);
    // One refusal does not stop the next.
    expect(await owner.setSetting('WEB_PORT', 9001)).toEqual({ restart: true });
  });

  it('leave a file alone that was broken by hand meanwhile', async () => {
    const { owner, file } = await services();
    await writeFile(file, '{"WEB_PORT": ');
    await expect(owner.setSetting('WEB_PORT', 9000)).rejects.toThrow('line 1, column 14: not valid JSON');
    expect(await readFile(file, 'utf8')).toBe('{"WEB_PORT": ');
  });
});

it('gives the entries of both clients as text ready to be pasted', async () => {
  const { owner } = await services();
  const { claudeDesktop, claudeCode } = await owner.clientEntry();
  expect(JSON.parse(claudeDesktop)).toMatchObject({ mcpServers: { patchbay: { command: '/usr/bin/node' } } });
  expect(JSON.parse(claudeCode)).toMatchObject({ mcpServers: { patchbay: { type: 'stdio' } } });
});

it('renews the tokens and tells, so that the run file follows', async () => {
  const { owner, renewed } = await services();
  const before = owner.tokens();
  await owner.renewTokens();
  const after = owner.tokens();
  expect(Object.values(after).some((token) => Object.values(before).includes(token))).toBe(false);
  expect(renewed).toEqual([after.mcp]);
});

describe('watchIdle', () => {
  it.each(['clients', 'sessions', 'views'] as const)('counts the time from the last use by %s on', async (kind) => {
    const usage = { clients: 0, sessions: 0, views: 0, [kind]: 1 };
    let idle = 0;
    const begun = performance.now();
    watchIdle(
      200,
      () => usage,
      () => void (idle = performance.now()),
    );
    await waitFor('twice the limit to pass in use', () => performance.now() - begun > 400);
    expect(idle).toBe(0);
    usage[kind] = 0;
    const freed = performance.now();
    await waitFor('the watch to tell', () => idle > 0);
    expect(idle - freed).toBeGreaterThan(140);
  });

  it('tells nothing after it was stopped', async () => {
    let told = false;
    const begun = performance.now();
    watchIdle(
      60,
      () => ({ clients: 0, sessions: 0, views: 0 }),
      () => void (told = true),
    )();
    await waitFor('three times the limit', () => performance.now() - begun > 180);
    expect(told).toBe(false);
  });
});
