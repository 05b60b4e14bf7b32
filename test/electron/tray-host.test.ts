// Whether icons in the tray can be seen, asked on a real session bus.
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasTrayHost } from '../../src-main/electron/tray-host.ts';
import { startBus, startTray } from '../support/tray.ts';
import type { TestBus } from '../support/tray.ts';

let bus: TestBus;
const on = (address: string | undefined) => hasTrayHost({ DBUS_SESSION_BUS_ADDRESS: address }, 'linux');

beforeAll(async () => {
  bus = await startBus();
});
afterAll(() => bus.close());

describe('FC50 the tray', () => {
  it('is there when the desktop draws icons', async () => {
    const tray = await startTray(bus.address);
    expect(await on(bus.address)).toBe(true);
    await tray.close();
  });

  it('is not there when icons are collected but drawn by nobody', async () => {
    const tray = await startTray(bus.address, false);
    expect(await on(bus.address)).toBe(false);
    await tray.close();
  });

  it('is not there on a bus without a watcher', async () => {
    expect(await on(bus.address)).toBe(false);
  });

  it.each([undefined, '', 'unix:path=/does/not/exist', 'tcp:host=localhost,port=1', 'nonsense'])(
    'is not there without a bus (%s)',
    async (address) => expect(await on(address)).toBe(false),
  );

  it('is not there when the bus says nothing', async () => {
    const path = join(tmpdir(), `silent-bus-${process.pid}`);
    const silent = createServer().listen(path);
    expect(await on(`unix:path=${path}`)).toBe(false);
    silent.close();
  });

  it('is taken for granted on systems that always have one', async () => {
    expect(await hasTrayHost({}, 'darwin')).toBe(true);
    expect(await hasTrayHost({}, 'win32')).toBe(true);
  });
});
