// What is remembered of the window between two starts.
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openWindowState } from '../../src-main/electron/window-state.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-window-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('starts with nothing remembered, also when the file is damaged or holds nonsense', async () => {
  const fresh = { maximized: false, toldAboutTray: false };
  const file = path.join(folder, 'state.json');
  expect((await openWindowState(file)).current).toEqual(fresh);
  for (const text of ['{', '[]', '{"bounds":{"x":"left"}}', '']) {
    await writeFile(file, text);
    expect((await openWindowState(file)).current).toEqual(fresh);
  }
});

it('remembers each change, the last one last, for the owner only', async () => {
  const file = path.join(folder, 'state.json');
  const state = await openWindowState(file);
  const bounds = { x: 1, y: 2, width: 900, height: 700 };
  await Promise.all([
    state.update({ maximized: true }),
    state.update({ bounds }),
    state.update({ maximized: false, toldAboutTray: true }),
  ]);
  expect((await openWindowState(file)).current).toEqual({ bounds, maximized: false, toldAboutTray: true });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it('goes on when the file cannot be written', async () => {
  const state = await openWindowState(path.join(folder, 'no-such-folder', 'state.json'));
  await state.update({ toldAboutTray: true });
  expect(state.current.toldAboutTray).toBe(true);
});
