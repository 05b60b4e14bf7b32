// The bridge and the real desktop app: started hidden where there is a display, plain Node inside Electron where not.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureElectron } from '../../scripts/electron/runtime.mjs';
import { LIST_CALL, useBridgeDesk } from '../support/bridge-desk.ts';
import { isRunning, waitFor } from '../support/processes.ts';
import { OUT } from '../support/programs.ts';
import { textOf } from '../support/raw-bridge.ts';
import { startXScreen } from '../support/x-screen.ts';
import type { XScreen } from '../support/x-screen.ts';

const here = useBridgeDesk();
const ELECTRON = path.resolve('node_modules/electron/dist/electron');

let screen: XScreen;

beforeAll(async () => {
  await ensureElectron();
  screen = await startXScreen();
});
afterAll(() => screen.close());

/** Without a session bus there is no tray; the app must not look for the machine's own. */
const withScreen = (): Record<string, string> => ({
  DISPLAY: screen.display,
  DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent',
});

async function commandLine(pid: number): Promise<readonly string[]> {
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0').filter((part) => part !== '');
}

describe('where there is a display', () => {
  it('FC43 ten bridges at once start one desktop app, hidden, and all are served by it', async () => {
    const ten = Array.from({ length: 10 }, () => here.bridge(withScreen()));
    await Promise.all(ten.map((one) => one.handshake()));
    for (const one of ten) expect((await one.request('tools/list'))['result']).toBeDefined();
    const run = await here.desk.running();
    expect(run.mode).toBe('app');
    // Chromium writes its command line anew, in one piece and another order.
    expect((await commandLine(run.pid)).join(' ')).toContain(' --hidden');
    expect(await here.journalCount('app.started')).toBe(1);
  });

  it('starts it again with the next call after a crash', async () => {
    const one = here.bridge(withScreen());
    await one.handshake();
    await one.request('tools/list');
    const first = await here.desk.running();
    process.kill(first.pid, 'SIGKILL');
    await waitFor('the app to be gone', () => !isRunning(first.pid));
    await waitFor('a call to get through', async () => {
      return (await one.callTool(LIST_CALL.name, {}))['isError'] !== true;
    });
    const second = await here.desk.running();
    expect({ mode: second.mode, same: second.pid === first.pid }).toEqual({ mode: 'app', same: false });
  });

  it('reports an app that refuses to start with the app’s own line', async () => {
    const one = here.bridge({ ...withScreen(), LOG_LEVEL: 'loud' });
    await one.handshake();
    const text = textOf(await one.callTool(LIST_CALL.name, {}));
    expect(text).toContain('APP_UNAVAILABLE: Patchbay does not start: LOG_LEVEL in the environment: "loud"');
  });

  it('starts the headless program when the app cannot run on this machine', async () => {
    // A display that nobody serves: Electron gives up at once.
    const one = here.bridge({ ...withScreen(), DISPLAY: ':987' });
    await one.handshake();
    expect((await one.request('tools/list'))['result']).toBeDefined();
    expect((await here.desk.running()).mode).toBe('headless');
  });
});

describe('as plain Node inside Electron, as an installed app’s entry says', () => {
  it('serves a client and starts the headless program with the same Electron', async () => {
    const bridge = spawn(ELECTRON, [path.join(OUT, 'bridge.js')], {
      env: { ...here.desk.environment, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let text = '';
    bridge.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    for (const message of [
      { id: 1, method: 'initialize', params },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: LIST_CALL },
    ]) {
      bridge.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    }
    await waitFor('both answers', () => text.split('\n').length === 3, 30_000);
    expect(text).toContain('"sessions":[]');
    const run = await here.desk.running();
    expect(run.mode).toBe('headless');
    expect((await commandLine(run.pid)).slice(1)).toEqual([path.join(OUT, 'headless.js'), '--idle-exit']);
    bridge.stdin.end();
    expect((await once(bridge, 'exit'))[0]).toBe(0);
  });
});
