// A display counts when somebody serves it, not when a variable names it.
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { expect, it } from 'vitest';
import { reasonAgainstWindow } from '../../scripts/setup/display.mjs';
import { startXScreen } from '../support/x-screen.ts';
import { tempFolder } from '../support/temp.ts';

it('is missing where no variable names one', async () => {
  expect(await reasonAgainstWindow({})).toBe('no display: DISPLAY and WAYLAND_DISPLAY are not set');
});

it.each([':987', 'localhost:987.0', '/nowhere/x:0', 'unix:987', 'nonsense'])('is dead at %s', async (display) => {
  expect(await reasonAgainstWindow({ DISPLAY: display })).toBe(
    `no display: DISPLAY is ${display}, but nothing answers there`,
  );
});

it('is there while an X server answers, and gone with it', async () => {
  const screen = await startXScreen();
  expect(await reasonAgainstWindow({ DISPLAY: screen.display })).toBeUndefined();
  expect(await reasonAgainstWindow({ DISPLAY: `${screen.display}.0` })).toBeUndefined();
  await screen.close();
  expect(await reasonAgainstWindow({ DISPLAY: screen.display })).toContain('but nothing answers there');
});

it('is there while a Wayland socket answers in the runtime folder', async () => {
  const folder = await tempFolder();
  const env = { WAYLAND_DISPLAY: 'wayland-9', XDG_RUNTIME_DIR: folder };
  expect(await reasonAgainstWindow(env)).toBe('no display: WAYLAND_DISPLAY is wayland-9, but nothing answers there');
  const server = net.createServer((socket) => socket.destroy());
  server.listen(path.join(folder, 'wayland-9'));
  await once(server, 'listening');
  expect(await reasonAgainstWindow(env)).toBeUndefined();
  expect(await reasonAgainstWindow({ ...env, DISPLAY: ':987' })).toBeUndefined();
  server.close();
});
