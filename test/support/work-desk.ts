// A desk at work: the real desktop app with its window, an assistant through the built bridge, a browser, a real SSH server.
// Needs: chromium
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { lockHolder } from '../../src-main/core/config/folder-lock.ts';
import { readRunFile } from '../../src-main/core/config/run-file.ts';
import type { RunFile } from '../../src-main/core/config/run-file.ts';
import { bridgeClientOne } from './app.ts';
import type { TestClient } from './app.ts';
import { failureOf, structureOf } from './assistant.ts';
import type { ToolFailure, Values } from './assistant.ts';
import { startBrowser } from './browser.ts';
import { startApp } from './electron.ts';
import type { TestApp } from './electron.ts';
import { endProcesses, waitFor } from './processes.ts';
import { plainEnvironment, readAll } from './programs.ts';
import { startSshd } from './sshd.ts';
import type { TestSshd } from './sshd.ts';

/** The window's page with the handle that tells what its terminals show. */
const PAGE_UNDER_TEST = 'app://patchbay/window.html?test';
const PAGE_SIZE = { width: 1440, height: 900 };
/** A view draws megabytes, on a machine that runs other tests at the same time. */
const DRAW_MS = 60_000;

/** Everything of one desk. */
export interface WorkDesk {
  readonly app: TestApp;
  readonly run: RunFile;
  readonly sshd: TestSshd;
  readonly browser: Browser;
  readonly client: TestClient;
  /** The window's page. */
  readonly window: Page;
  /** Faults that scripts of the pages threw. */
  readonly faults: string[];
  /** Calls a tool; throws when it answers an error. */
  ask(tool: string, args?: Values): Promise<Values>;
  /** Calls a tool that has to answer an error; throws when it does not. */
  fail(tool: string, args?: Values): Promise<ToolFailure>;
  /** Arguments of ssh_connect; by password unless the key is asked for. */
  target(name: string, way?: 'password' | 'key'): Values;
  /** A page in the browser, logged in on the login screen with the token of this role. */
  page(role: 'viewer' | 'operator'): Promise<Page>;
  /** A page in the browser at an address that needs no token. */
  pageAt(url: string): Promise<Page>;
  journal(): Promise<string>;
  logs(): Promise<string>;
  close(): Promise<void>;
}

/** Starts all parts. The person's known_hosts knows the server. */
export async function startWorkDesk(): Promise<WorkDesk> {
  const [home, sshd, browser] = await Promise.all([
    mkdtemp(path.join(os.tmpdir(), 'patchbay-home-')),
    startSshd(),
    startBrowser(),
  ]);
  await mkdir(path.join(home, '.ssh'));
  await writeFile(path.join(home, '.ssh', 'known_hosts'), sshd.knownHosts());
  const app = await startApp({ env: { HOME: home } });
  const run = await readRunFile(app.dataDir);
  if (run === undefined) throw new Error('the app has no run file');
  const environment = { ...plainEnvironment(), HOME: home, PATCHBAY_DATA_DIR: app.dataDir };
  const client = await bridgeClientOne({ environment }, 'claude-at-work');
  // A 1.x client that has listed the tools checks every result against its schema.
  await client.listTools();
  const faults: string[] = [];
  const pageAt = async (url: string): Promise<Page> => {
    const context = await browser.newContext({ viewport: PAGE_SIZE, reducedMotion: 'reduce' });
    const page = await context.newPage();
    page.on('pageerror', (fault) => faults.push(String(fault)));
    await page.goto(url);
    return page;
  };
  return {
    ...{ app, run, sshd, browser, client, faults, pageAt },
    window: await showForTest(app),
    ask: async (tool, args = {}) => structureOf(tool, await client.callTool(tool, args)),
    fail: async (tool, args = {}) => failureOf(tool, await client.callTool(tool, args)),
    target: (name, way = 'password') => targetOf(sshd, name, way),
    page: async (role) => {
      const page = await pageAt(run.monitorUrl);
      await page.getByLabel('Token').fill(run.tokens[role]);
      await page.getByRole('button', { name: 'Open Patchbay' }).click();
      await page.getByRole('navigation', { name: 'Sessions' }).waitFor();
      return page;
    },
    journal: () => readAll(path.join(app.dataDir, 'journal')),
    logs: () => readAll(path.join(app.dataDir, 'logs')),
    async close() {
      const steps = [
        () => client.close(),
        () => endOtherApp(app),
        () => app.close(),
        () => browser.close(),
        () => sshd.stop(),
        () => rm(home, { recursive: true, force: true }),
      ];
      await closeAll(steps);
    },
  };
}

/** After a kill a call that was under way may have made the bridge start another app. */
async function endOtherApp({ dataDir, pid }: TestApp): Promise<void> {
  const holder = await lockHolder(dataDir, 'instance');
  if (holder !== undefined && holder !== pid) await endProcesses([holder]);
}

/** Every step is done, whatever happens to those before; then the first fault is thrown. */
async function closeAll(steps: readonly (() => Promise<void>)[]): Promise<void> {
  const faults: unknown[] = [];
  for (const step of steps) await step().catch((fault: unknown) => faults.push(fault));
  if (faults.length > 0) throw faults[0];
}

/** Arguments of ssh_connect for a server. */
export function targetOf({ host, port, account }: TestSshd, name: string, way: 'password' | 'key'): Values {
  const secret = way === 'key' ? { keyFile: account.keyFile } : { password: account.password };
  return { name, host, port, credentials: { username: account.name, ...secret } };
}

/** The main process alone chooses the address of the window's page, so it is the one that turns the handle on. */
async function showForTest(app: TestApp): Promise<Page> {
  const page = await app.page();
  // A load that is cut off by the next one would be reported as the failure of both.
  await page.getByRole('navigation', { name: 'Sessions' }).waitFor();
  await app.app.evaluate(({ BrowserWindow }, address) => {
    return BrowserWindow.getAllWindows()[0]?.loadURL(address);
  }, PAGE_UNDER_TEST);
  await page.getByRole('navigation', { name: 'Sessions' }).waitFor();
  return page;
}

/** Shows a session by clicking on its row. */
export async function showSession(page: Page, name: string): Promise<void> {
  await page.locator('.session-row', { hasText: name }).first().click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

/** What runs inside a page: reads a pane by the handle that is there under test. */
function readPane(session: string): string | undefined {
  const { __patchbayTest: handle } = window as unknown as {
    __patchbayTest?: { text(name: string, lane: string): string | undefined };
  };
  return handle?.text(session, 'commands');
}

/** Text of a session's Commands pane, once it holds `wanted`. */
export async function paneWith(page: Page, session: string, wanted: string): Promise<string> {
  let text = '';
  const holds = async (): Promise<boolean> => {
    text = (await page.evaluate(readPane, session)) ?? '';
    return text.includes(wanted);
  };
  await waitFor(`"${wanted}" in the pane of ${session}`, holds, DRAW_MS).catch((error: unknown) => {
    throw new Error(`${String(error)}; it holds: ${text.slice(-2000)}`);
  });
  return text;
}

/** A command that runs until the test lets it end, printing a line before and one after. */
export interface GatedCommand {
  readonly text: string;
  open(): Promise<void>;
}

/** Makes one; `name` is in its lines: `<name> began` and `<name> went on`. */
export function gatedCommand({ account }: TestSshd, name: string): GatedCommand {
  const gate = path.join(account.home, `gate-${name}`);
  return {
    text: `echo ${name} began; until [ -e ${gate} ]; do sleep 0.05; done; echo ${name} went on`,
    open: () => writeFile(gate, ''),
  };
}
