// Starts the built desktop app as a person does, in a data folder of the test's own, and drives it with Playwright.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { _electron } from 'playwright-core';
import type { ElectronApplication, Page } from 'playwright-core';
import { ensureElectron } from '../../scripts/electron/runtime.mjs';
import { freePort } from './net.ts';
import { isRunning, waitFor } from './processes.ts';
import { ViewClient, loginWith } from './view-client.ts';

/** The repository: `electron <folder>` starts what its package.json names. */
const APP_FOLDER = path.resolve(import.meta.dirname, '../..');
const START_MS = 60_000;

/** How to start. */
export interface AppOptions {
  /** Default: a new one, removed at the end. */
  readonly dataDir?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Address of the session bus; default: none. */
  readonly bus?: string;
  /** An X screen such as `:42`; default: Electron draws without any. */
  readonly display?: string;
  /** A CommonJS file that Electron loads before the app; only for {@link runApp}. */
  readonly preload?: string;
  /** Ends a start by {@link runApp} with SIGTERM once this is true; asked again until then, also after it rejected. */
  readonly signalWhen?: () => Promise<boolean>;
  /** What to send to a start by {@link runApp} once it has named a fault. */
  readonly signalAtFault?: NodeJS.Signals;
}

/** What the app writes into its data folder when it runs. */
interface RunFile {
  readonly pid: number;
  readonly monitorUrl: string;
  readonly tokens: { readonly viewer: string; readonly operator: string; readonly mcp: string };
}

/** The running app. */
export interface TestApp {
  readonly app: ElectronApplication;
  readonly dataDir: string;
  readonly pid: number;
  readonly monitorUrl: string;
  /** stderr so far. */
  stderr(): string;
  /** The window's page; waits for it. */
  page(): Promise<Page>;
  /** Whether a window is there and shown. */
  isShown(): Promise<boolean>;
  /** What the window's page says, also after the page that Playwright knew has died; empty while there is none. */
  windowText(): Promise<string>;
  /**
   * What the Commands pane of a session shows in the window's page, also after the page that Playwright knew has died;
   * empty while there is none. The session is chosen when it is not on screen.
   */
  paneText(session: string): Promise<string>;
  /** A view through the gateway with the operator's role. */
  operator(): Promise<ViewClient>;
  /** Presses the window's close button, which Playwright has no hand for. */
  pressClose(): Promise<void>;
  /** Answers every native dialog from now on with this button and collects what they said. */
  answerDialogs(button: number): Promise<void>;
  /** First lines of the dialogs since {@link answerDialogs}. */
  dialogs(): Promise<string[]>;
  /** Waits until the program has ended by itself. */
  ended(): Promise<number | null>;
  /** Ends it by force if it still runs, and removes its folder. */
  close(): Promise<void>;
}

/** Environment in which the app neither finds the test's own display nor its bus. */
function environment({ env, bus, display }: AppOptions, dataDir: string, port: number): Record<string, string> {
  const { DISPLAY: _d, WAYLAND_DISPLAY: _w, DBUS_SESSION_BUS_ADDRESS: _b, XDG_RUNTIME_DIR: _x, ...rest } = process.env;
  const clean = Object.entries(rest).flatMap(([name, value]) =>
    value === undefined || /^(VITEST|NODE_OPTIONS|ELECTRON_RUN_AS_NODE)/.test(name) ? [] : [[name, value] as const],
  );
  return {
    ...Object.fromEntries(clean),
    PATCHBAY_DATA_DIR: dataDir,
    WEB_PORT: String(port),
    DBUS_SESSION_BUS_ADDRESS: bus ?? 'unix:path=/nonexistent',
    ...(display === undefined ? {} : { DISPLAY: display }),
    ...env,
  };
}

const screenSwitch = ({ display }: AppOptions) => `--ozone-platform=${display === undefined ? 'headless' : 'x11'}`;

/** Starts the app and waits until it runs. */
export async function startApp(options: AppOptions = {}): Promise<TestApp> {
  await ensureElectron();
  const dataDir = options.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'patchbay-app-')));
  const env = environment(options, dataDir, await freePort());
  const app = await _electron.launch({
    args: [screenSwitch(options), APP_FOLDER, ...(options.args ?? [])],
    env,
    timeout: START_MS,
  });
  const child = app.process();
  let stderr = '';
  child.stderr?.on('data', (piece: Buffer) => (stderr += piece.toString()));
  const run = await runFile(dataDir, child.pid ?? 0).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw new Error(`${String(error)}\n${stderr}`);
  });
  return {
    ...{ app, dataDir, pid: run.pid, monitorUrl: run.monitorUrl },
    stderr: () => stderr,
    page: () => app.firstWindow(),
    isShown: () =>
      app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((window) => window.isVisible())),
    windowText: () => app.evaluate(readPage, 'document.body.innerText'),
    paneText: (session) => app.evaluate(readPage, paneScript(session)),
    operator: async () => {
      const cookie = await loginWith(run.monitorUrl, run.tokens.operator);
      return ViewClient.open({ monitorUrl: run.monitorUrl, cookie });
    },
    pressClose: () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close()),
    answerDialogs: (button) => app.evaluate(replaceDialogs, button),
    dialogs: () => app.evaluate(() => (globalThis as { shownDialogs?: string[] }).shownDialogs ?? []),
    ended: () => exitCode(child),
    close: async () => {
      if (isRunning(run.pid)) child.kill('SIGKILL');
      await exitCode(child);
      if (options.dataDir === undefined) await removeProfile(dataDir);
    },
  };
}

/** How a start ended that was not meant to stay. */
export interface ShortRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

/** Starts the app plainly, as a shell does, and waits for its end. */
export async function runApp(dataDir: string, options: AppOptions = {}): Promise<ShortRun> {
  const { executable } = await ensureElectron();
  const begun = performance.now();
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const preload = options.preload === undefined ? [] : ['-r', options.preload];
  const child = spawn(executable, [...preload, ...root, screenSwitch(options), APP_FOLDER, ...(options.args ?? [])], {
    env: environment(options, dataDir, await freePort()),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (piece: Buffer) => (stdout += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => {
    stderr += piece.toString();
    // Once: a second one meets a program whose handlers are gone because it is ending already.
    if (options.signalAtFault === undefined || child.killed || !/^patchbay: /m.test(stderr)) return;
    child.kill(options.signalAtFault);
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), START_MS);
  const { signalWhen } = options;
  if (signalWhen !== undefined) {
    await waitFor('the moment of the signal', () => signalWhen().catch(() => false), START_MS);
    child.kill('SIGTERM');
  }
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  return { code, stdout, stderr, ms: performance.now() - begun };
}

async function exitCode(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

/** After a kill Chromium's own processes write for a moment longer. */
function removeProfile(dataDir: string): Promise<void> {
  return rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

async function runFile(dataDir: string, pid: number): Promise<RunFile> {
  let found: RunFile | undefined;
  await waitFor(
    'the run file of the app',
    async () => {
      if (!isRunning(pid)) throw new Error('the app has ended');
      found = await readRunFile(path.join(dataDir, 'run.json'));
      // Until it takes the place of another one, the file is that one's.
      return found?.pid === pid;
    },
    START_MS,
  );
  if (found === undefined) throw new Error('no run file');
  return found;
}

async function readRunFile(file: string): Promise<RunFile | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as RunFile;
  } catch {
    // Not there yet.
    return undefined;
  }
}

/** Runs inside the app: no native dialog opens any more, each one is answered at once. */
function replaceDialogs({ dialog }: typeof Electron.CrossProcessExports, button: number): void {
  const shown: string[] = [];
  Object.assign(globalThis, { shownDialogs: shown });
  Object.assign(dialog, {
    showMessageBox: (...args: unknown[]) => {
      const options = args.at(-1) as { message: string };
      shown.push(options.message);
      return Promise.resolve({ response: button, checkboxChecked: false });
    },
  });
}

/** Reads a pane, or clicks on the session's row when its pane is not there. */
function paneScript(session: string): string {
  const name = JSON.stringify(session);
  return `(() => {
    const text = globalThis.__patchbayTest?.text(${name}, 'commands');
    if (text !== undefined) return text;
    [...document.querySelectorAll('.session-row')].find((row) => row.textContent.includes(${name}))?.click();
    return '';
  })()`;
}

/** Runs inside the app. A question to a page that dies meanwhile would never be answered, hence the deadline. */
function readPage({ BrowserWindow }: typeof Electron.CrossProcessExports, script: string): Promise<string> {
  const contents = BrowserWindow.getAllWindows()[0]?.webContents;
  if (contents === undefined || contents.isCrashed() || contents.isLoading()) return Promise.resolve('');
  return Promise.race([
    contents.executeJavaScript(script).then(String),
    new Promise<string>((resolve) => setTimeout(resolve, 500, '')),
  ]);
}
