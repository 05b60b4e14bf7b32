// The desktop app as a person meets it: window, tray, second start, close, quit, a page that dies.
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runApp, startApp } from '../support/electron.ts';
import type { AppOptions, TestApp } from '../support/electron.ts';
import { freePort } from '../support/net.ts';
import { isRunning, waitFor } from '../support/processes.ts';
import { createDesk, startApp as startHeadless, startProgram } from '../support/programs.ts';
import { startBridge } from '../support/raw-bridge.ts';
import { startSshd } from '../support/sshd.ts';
import type { TestSshd } from '../support/sshd.ts';
import { startBus, startNotifications, startTray } from '../support/tray.ts';
import type { TestBus, TestTray } from '../support/tray.ts';
import type { ViewClient } from '../support/view-client.ts';
import { startXScreen } from '../support/x-screen.ts';

const SCREENS = path.resolve(import.meta.dirname, '../../test-results/screens');

let sshd: TestSshd;
let bus: TestBus;
const opened: { close(): Promise<void> | void }[] = [];

beforeAll(async () => {
  await mkdir(SCREENS, { recursive: true });
  [sshd, bus] = await Promise.all([startSshd(), startBus()]);
});
afterAll(async () => {
  await sshd.stop();
  await bus.close();
});
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});

async function start(options: AppOptions = {}): Promise<TestApp> {
  const app = await startApp(options);
  opened.push(app);
  return app;
}

/** Starts with a window that is on the screen. */
async function startShown(options: AppOptions = {}): Promise<TestApp> {
  const app = await start(options);
  await waitFor('the window to be shown', () => app.isShown());
  return app;
}

async function tray(hasHost = true): Promise<TestTray> {
  const made = await startTray(bus.address, hasHost);
  opened.push(made);
  return made;
}

/** Opens a session with a command that runs until it is stopped, as a person at a page does. */
async function startWork(app: TestApp): Promise<ViewClient> {
  const view = await app.operator();
  opened.push(view);
  await view.call('session.connect', {
    name: 'web-1',
    host: sshd.host,
    port: sshd.port,
    credentials: { username: sshd.account.name, keyFile: sshd.account.keyFile },
  });
  await view.call('state.get', {});
  await view.call('lease.take', { session: 'web-1' });
  await view.call('command.run', { session: 'web-1', command: 'echo work has begun; sleep 600' });
  await view.until('command.changed', ({ command }) => command.status === 'running');
  return view;
}

/** Chromium reports on stderr what it misses on a machine without a desktop. */
const CHROMIUM_LINE = /^\[\d+:\d+\/.*\n|^\n/gm;

const TRUSTING = { HOST_KEY_POLICY: 'accept-new' };

describe('the window', () => {
  it('shows the sessions and is as closed to the outside as it can be', async () => {
    const app = await startShown();
    const page = await app.page();
    await page.getByText('Patchbay').first().waitFor();
    expect(page.url()).toBe('app://patchbay/window.html');
    await page.screenshot({ path: path.join(SCREENS, 'window-empty.png') });
    const inside = await page.evaluate(async () => ({
      node: typeof (globalThis as { require?: unknown }).require + typeof (globalThis as { process?: unknown }).process,
      opened: window.open('https://example.invalid/') === null,
      microphone: await navigator.mediaDevices.getUserMedia({ audio: true }).then(
        () => 'granted',
        () => 'refused',
      ),
      notifications: await Notification.requestPermission(),
      outside: await fetch('http://127.0.0.1:9/').then(
        () => 'reached',
        () => 'refused',
      ),
      inline: await new Promise((resolve) => {
        const script = document.createElement('script');
        script.textContent = 'globalThis.inlineRan = true';
        document.body.append(script);
        resolve('inlineRan' in globalThis ? 'ran' : 'refused');
      }),
    }));
    await page.getByText('Patchbay').first().click();
    await page.waitForFunction(() => document.hasFocus());
    expect(await page.evaluate(() => navigator.clipboard.writeText('copied in the window'))).toBeUndefined();
    expect(await app.app.evaluate(({ clipboard }) => clipboard.readText())).toBe('copied in the window');
    expect(inside).toEqual({
      node: 'undefinedundefined',
      opened: true,
      microphone: 'refused',
      notifications: 'denied',
      outside: 'refused',
      inline: 'refused',
    });
    await page.evaluate(() => location.assign('https://example.invalid/'));
    expect(page.url()).toBe('app://patchbay/window.html');
    const preferences = await app.app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      return (contents as unknown as { getLastWebPreferences(): Electron.WebPreferences }).getLastWebPreferences();
    });
    expect(preferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
    });
  });

  it('comes back with its history when its page dies, while command and session go on', async () => {
    const app = await start({ env: TRUSTING });
    const page = await app.page();
    const view = await startWork(app);
    const [before] = (await view.call('command.list', { session: 'web-1' })).commands;
    await page.getByText('web-1').first().waitFor();
    await app.app.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer();
    });
    await waitFor('the page to come back', async () => /^work has begun$/m.test(await app.windowText()));
    const [after] = (await view.call('command.list', { session: 'web-1' })).commands;
    expect([after?.commandId, after?.status]).toEqual([before?.commandId, 'running']);
    const picture = await app.app.evaluate(async ({ BrowserWindow }) => {
      const image = await BrowserWindow.getAllWindows()[0]?.webContents.capturePage();
      return image?.toPNG().toString('base64') ?? '';
    });
    await writeFile(path.join(SCREENS, 'window-revived.png'), Buffer.from(picture, 'base64'));
  });
});

describe('on an X screen', () => {
  it('the window opens, a second start brings it back after it was hidden, and quitting ends it', async () => {
    const screen = await startXScreen();
    opened.push(screen, await startTray(bus.address));
    const app = await startShown({ display: screen.display, bus: bus.address });
    const page = await app.page();
    await page.getByText('Patchbay').first().waitFor();
    await page.screenshot({ path: path.join(SCREENS, 'window-x11.png') });
    await app.answerDialogs(0);
    await app.pressClose();
    await waitFor('the window to hide', async () => !(await app.isShown()));
    const second = await runApp(app.dataDir, { display: screen.display, bus: bus.address });
    expect([second.code, second.ms < 3000]).toEqual([0, true]);
    await waitFor('the window to be shown', () => app.isShown());
    process.kill(app.pid, 'SIGINT');
    expect(await app.ended()).toBe(0);
    expect((await stat(path.join(app.dataDir, 'quit'))).isFile()).toBe(true);
  });
});

describe('FC50 a second start', () => {
  it('FC50 shows the window that was closed to the tray, and ends with code 0 within 3 s', async () => {
    await tray();
    const app = await startShown({ bus: bus.address });
    await app.answerDialogs(0);
    await app.pressClose();
    await waitFor('the window to hide', async () => !(await app.isShown()));
    const view = await app.operator();
    opened.push(view);
    const before = await view.call('state.get', {});
    const second = await runApp(app.dataDir, { bus: bus.address });
    expect([second.code, second.ms < 3000]).toEqual([0, true]);
    await waitFor('the window to be shown', () => app.isShown());
    expect(await view.call('state.get', {})).toEqual(before);
    expect(isRunning(app.pid)).toBe(true);
  });

  it('FC50 opens the window of an app that was started hidden; a bridge’s own start does not', async () => {
    const app = await start({ args: ['--hidden'] });
    expect(await app.isShown()).toBe(false);
    const byBridge = await runApp(app.dataDir, { args: ['--hidden'] });
    expect([byBridge.code, byBridge.stderr.includes('Patchbay runs already')]).toEqual([0, true]);
    expect(await app.isShown()).toBe(false);
    expect((await runApp(app.dataDir)).code).toBe(0);
    await waitFor('the window to be shown', () => app.isShown());
  });
});

describe('closing the window', () => {
  it('hides it to the tray, says so once, and the tray brings it back', async () => {
    const desktop = await tray();
    const app = await startShown({ bus: bus.address });
    await waitFor('the tray icon', () => desktop.registered.length > 0);
    await app.answerDialogs(0);
    for (let round = 0; round < 2; round += 1) {
      await app.pressClose();
      await waitFor('the window to hide', async () => !(await app.isShown()));
      await desktop.icon().choose('Open Patchbay');
      await waitFor('the window to be shown', () => app.isShown());
    }
    expect(await app.dialogs()).toEqual(['Patchbay stays in the tray']);
  });

  it.each(['no bus', 'a bus without a tray', 'a tray that nobody draws'])(
    'FC50 with %s asks instead of hiding',
    async (kind) => {
      if (kind === 'a tray that nobody draws') await tray(false);
      const app = await startShown(kind === 'no bus' ? {} : { bus: bus.address });
      await app.answerDialogs(1);
      await app.pressClose();
      await waitFor('the question', async () => (await app.dialogs()).length > 0);
      expect(await app.dialogs()).toEqual(['Quit Patchbay?']);
      expect(await app.isShown()).toBe(true);
      await app.answerDialogs(0);
      await app.pressClose();
      expect(await app.ended()).toBe(0);
    },
  );
});

describe('quitting', () => {
  it('asks while a command runs, goes on when the person cancels, and leaves the marker when not', async () => {
    const desktop = await tray();
    const app = await start({ bus: bus.address, env: TRUSTING });
    await startWork(app);
    await waitFor('the tray icon', () => desktop.registered.length > 0);
    await app.answerDialogs(1);
    await desktop.icon().choose('Quit Patchbay');
    await waitFor('the question', async () => (await app.dialogs()).length > 0);
    expect(await app.dialogs()).toEqual(['Quit and stop one command?']);
    expect(isRunning(app.pid)).toBe(true);
    await app.answerDialogs(0);
    await desktop.icon().choose('Quit Patchbay');
    expect(await app.ended()).toBe(0);
    expect((await stat(path.join(app.dataDir, 'quit'))).isFile()).toBe(true);
  });

  it('by SIGTERM ends at once, without a question and without the marker', async () => {
    const app = await start();
    process.kill(app.pid, 'SIGTERM');
    expect(await app.ended()).toBe(0);
    await expect(stat(path.join(app.dataDir, 'quit'))).rejects.toThrow('ENOENT');
  });
});

describe('the tray', () => {
  it('shows how many sessions there are and pauses and resumes assistants', async () => {
    const desktop = await tray();
    const app = await start({ bus: bus.address, env: TRUSTING, args: ['--hidden'] });
    const view = await startWork(app);
    await waitFor('the tray icon', () => desktop.registered.length > 0);
    await waitFor('the count', async () => (await desktop.icon().tooltip()) === 'Patchbay: 1 session');
    await desktop.icon().choose('Pause all assistants');
    await view.until('pause.changed', ({ pause }) => pause === 'input');
    await waitFor('the menu', async () => (await desktop.icon().labels()).includes('Resume assistants'));
    await desktop.icon().choose('Resume assistants');
    await view.until('pause.changed', ({ pause }) => pause === 'off');
    expect(await desktop.icon().labels()).toEqual(['Open Patchbay', 'Pause all assistants', 'Quit Patchbay']);
  });
});

describe('an unknown host key', () => {
  it('is told by a notification also while the window is hidden', async () => {
    const notifications = await startNotifications(bus.address);
    opened.push(notifications);
    const app = await start({ bus: bus.address, args: ['--hidden'] });
    const view = await app.operator();
    opened.push(view);
    await view.call('state.get', {});
    const connecting = view.call('session.connect', {
      name: 'web-1',
      host: sshd.host,
      port: sshd.port,
      credentials: { username: sshd.account.name, keyFile: sshd.account.keyFile },
    });
    await view.until('cards.changed', ({ cards }) => cards.length === 1);
    await waitFor('the notification', () => notifications.shown.length > 0);
    expect(notifications.shown).toEqual([
      { title: `Unknown host key: ${sshd.host}`, body: 'Session web-1 waits until you trust or refuse the key.' },
    ]);
    const card = view.of('cards.changed').at(-1)?.cards[0];
    await view.call('hostKey.answer', { id: card?.id ?? '', trust: true });
    expect(await connecting).toEqual({ name: 'web-1' });
  });
});

describe('a start that cannot be', () => {
  it('says why on stderr, one line for each fault, and ends with code 2', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-app-'));
    const run = await runApp(folder, { env: { WEB_PORT: '80a', LOG_LEVEL: 'loud' } });
    const lines = run.stderr.split('\n').filter((line) => line.startsWith('patchbay: '));
    expect([run.code, lines.length]).toEqual([2, 2]);
    expect(lines.join('\n')).toMatch(/WEB_PORT.*80a[^]*LOG_LEVEL.*loud/);
    expect(run.stderr).not.toMatch(/Unhandled|the start was refused/);
    await rm(folder, { recursive: true });
  });

  it('ends by a signal although the dialog that tells the fault is open', async () => {
    const screen = await startXScreen();
    opened.push(screen);
    const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-app-'));
    const options = { display: screen.display, env: { WEB_PORT: '80a' }, signalAtFault: 'SIGTERM' } as const;
    expect((await runApp(folder, options)).code).toBe(2);
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  });

  it('finds a headless Patchbay in its data folder, says where it is, and leaves it alone', async () => {
    const desk = await createDesk();
    opened.push(desk);
    const first = await startHeadless(desk, { WEB_PORT: String(await freePort()) });
    const second = await runApp(desk.dataDir);
    expect([second.code, second.stderr.includes(first.run.monitorUrl)]).toEqual([0, true]);
    expect(isRunning(first.pid)).toBe(true);
  });

  it('takes the place of a headless one that a bridge started and nobody works with; the bridge goes on', async () => {
    const desk = await createDesk();
    opened.push(desk);
    const bridge = startBridge({ ...desk.environment, WEB_PORT: String(await freePort()) });
    await bridge.handshake();
    await bridge.request('tools/list');
    const before = await desk.running();
    expect([before.mode, before.startedBy]).toEqual(['headless', 'bridge']);
    const app = await start({ dataDir: desk.dataDir });
    await waitFor('the headless one to be gone', () => !isRunning(before.pid));
    await waitFor('the bridge to find the app', async () => {
      return (await bridge.callTool('ssh_list_sessions', {}))['isError'] !== true;
    });
    const after = await desk.running();
    expect([after.mode, after.startedBy, after.pid]).toEqual(['app', 'person', app.pid]);
    await bridge.stop();
  });

  it('prints the entry for a client and nothing else on stdout, the same as the terminal does', async () => {
    const desk = await createDesk();
    opened.push(desk);
    const shown = await runApp(desk.dataDir, {
      args: ['--print-client-config'],
      env: { PATCHBAY_NODE: process.execPath },
    });
    const printed = startProgram('headless.js', ['--print-client-config'], desk.environment);
    expect([shown.code, await printed.ended]).toEqual([0, 0]);
    expect(shown.stdout).toBe(printed.stdout());
  });

  it.each([
    [['--version'], 0, /^\d+\.\d+\.\d+\n$/, /^$/],
    [['--help'], 0, /^Usage: npm start/, /^$/],
    [['--verbose'], 2, /^$/, /^patchbay: --verbose is not known; known options: --headless, /m],
    [['--stop'], 0, /^No Patchbay runs with the data folder /, /^$/],
  ])('answers %j with code %i and makes no folder', async (args, code, stdout, stderr) => {
    const dataDir = path.join(tmpdir(), `patchbay-none-${process.pid}`);
    const run = await runApp(dataDir, { args });
    expect(run.code).toBe(code);
    expect(run.stdout).toMatch(stdout);
    expect(run.stderr.replaceAll(CHROMIUM_LINE, '')).toMatch(stderr);
    await expect(stat(dataDir)).rejects.toThrow('ENOENT');
  });
});
