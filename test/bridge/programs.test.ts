// Which program the bridge would start, by machine and by way of installation.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { programsToTry } from '../../src-main/bridge/programs.ts';
import type { BridgeFacts } from '../../src-main/bridge/programs.ts';
import { tempFolder } from '../support/temp.ts';

const base: BridgeFacts = {
  execPath: '/usr/bin/node',
  isElectron: false,
  outDir: '/nowhere/out',
  environment: { PATCHBAY_DATA_DIR: '/srv/pb' },
  platform: 'linux',
  isRoot: false,
};

/** A clone with a built app and an Electron. */
async function clone(): Promise<string> {
  const root = await tempFolder();
  await mkdir(path.join(root, 'out'));
  await writeFile(path.join(root, 'out', 'main.js'), '');
  await mkdir(path.join(root, 'node_modules', 'electron', 'dist'), { recursive: true });
  await writeFile(path.join(root, 'node_modules', 'electron', 'dist', 'electron'), '');
  return root;
}

it('is the headless one without a display, ending by itself when idle', async () => {
  const root = await clone();
  expect(await programsToTry({ ...base, outDir: path.join(root, 'out') })).toEqual([
    {
      command: '/usr/bin/node',
      args: [path.join(root, 'out', 'headless.js'), '--idle-exit'],
      environment: { PATCHBAY_DATA_DIR: '/srv/pb' },
    },
  ]);
});

it.each(['DISPLAY', 'WAYLAND_DISPLAY'])(
  'is the hidden app with %s, and the headless one should that fail',
  async (name) => {
    const root = await clone();
    const environment = { ...base.environment, [name]: ':0' };
    const [app, headless] = await programsToTry({ ...base, environment, outDir: path.join(root, 'out') });
    expect(app).toEqual({
      command: path.join(root, 'node_modules', 'electron', 'dist', 'electron'),
      args: [root, '--hidden'],
      environment: { ...environment, PATCHBAY_NODE: '/usr/bin/node' },
    });
    expect(headless?.args.at(-1)).toBe('--idle-exit');
  },
);

it('tells the app of root that there is no sandbox', async () => {
  const root = await clone();
  const facts = { ...base, environment: { DISPLAY: ':0' }, isRoot: true, outDir: path.join(root, 'out') };
  expect((await programsToTry(facts))[0]?.args).toEqual(['--no-sandbox', root, '--hidden']);
});

it('is the headless one where no Electron was fetched', async () => {
  const facts = { ...base, environment: { DISPLAY: ':0' } };
  expect((await programsToTry(facts)).map(({ args }) => args)).toEqual([['/nowhere/out/headless.js', '--idle-exit']]);
});

it('is the installed app itself, as an app with a display and as plain Node without', async () => {
  const facts: BridgeFacts = {
    ...base,
    execPath: '/opt/Patchbay/patchbay',
    isElectron: true,
    outDir: '/opt/Patchbay/resources/app.asar/out',
    environment: { ELECTRON_RUN_AS_NODE: '1', DISPLAY: ':0' },
  };
  const headless = {
    command: '/opt/Patchbay/patchbay',
    args: ['/opt/Patchbay/resources/app.asar/out/headless.js', '--idle-exit'],
  };
  expect(await programsToTry(facts)).toEqual([
    { command: '/opt/Patchbay/patchbay', args: ['--hidden'], environment: { DISPLAY: ':0' } },
    { ...headless, environment: { ELECTRON_RUN_AS_NODE: '1', DISPLAY: ':0' } },
  ]);
  expect(await programsToTry({ ...facts, environment: { ELECTRON_RUN_AS_NODE: '1' } })).toEqual([
    { ...headless, environment: { ELECTRON_RUN_AS_NODE: '1' } },
  ]);
});

it.each(['darwin', 'win32'] as const)('needs no display variable on %s', async (platform) => {
  const facts = { ...base, platform, isElectron: true, execPath: '/p', outDir: `/x/app.asar${path.sep}out` };
  expect((await programsToTry(facts))[0]?.args).toEqual(['--hidden']);
});
