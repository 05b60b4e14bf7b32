// The course of a start: one instance, settings, core, window; and of everything that ends it.
import path from 'node:path';
import { app, shell } from 'electron';
import { startPatchbay } from '../assembly.ts';
import type { ProgramFacts } from '../core/config/client-entry.ts';
import { dataDirOf } from '../core/config/data-dir.ts';
import { EXIT_REFUSED } from '../../src-shared/mcp-identity.ts';
import type { RunWish } from '../program-options.ts';
import { keepGoing } from '../process-faults.ts';
import type { Running } from '../running.ts';
import { APP_ORIGIN, APP_PAGE, serveAppPage } from './app-page.ts';
import { Desktop } from './desktop.ts';
import { showStartFault } from './dialogs.ts';
import { harden } from './hardening.ts';
import { MainWindow } from './main-window.ts';
import { meetOther } from './meet-other.ts';
import type { MeetingResult } from './meet-other.ts';
import { setMenu } from './menu.ts';
import { handOverPorts } from './port-handover.ts';
import { openWindowState } from './window-state.ts';

/** How a line begins that says why a start was refused; a bridge that made the start looks for it. */
const FAULT_PREFIX = 'patchbay: ';

/** What the program knows about itself. */
export interface AppFacts {
  readonly facts: ProgramFacts;
  readonly given: RunWish;
  /** Folder of the profile; exists. */
  readonly profile: string;
}

/** Starts the app, or shows the window of the one that runs. */
export async function startApp(about: AppFacts): Promise<void> {
  const { hidden } = about.given;
  if (!app.requestSingleInstanceLock({ hidden })) {
    process.stderr.write(hidden ? 'Patchbay runs already.\n' : 'Patchbay runs already: its window is shown.\n');
    return app.exit(0);
  }
  const stage: Stage = { asking: false };
  const starting = start(about, stage);
  await app.whenReady();
  const running = starting.then((result) => {
    if (result.kind === 'running') return result.running;
    throw new StartRefused(result);
  });
  await open(about, running, stage).catch((error: unknown) => endStart(about, error));
}

/** The window, once it is made; while a question stands in its place it is not shown, for it would cover the question. */
interface Stage {
  window?: MainWindow;
  asking: boolean;
}

/** The core; where a Patchbay without a window is in its place, that one makes way or the person decides. */
async function start({ facts, given }: AppFacts, stage: Stage): Promise<MeetingResult> {
  const startedBy = given.hidden ? 'bridge' : 'person';
  const again = () => startPatchbay({ mode: 'app', startedBy, facts });
  const result = await again();
  if (result.kind !== 'elsewhere' || given.hidden) return result;
  const { takeOver } = given;
  const alone = async <T>(question: () => Promise<T>): Promise<T> => {
    stage.asking = true;
    stage.window?.hide();
    return question();
  };
  // Nothing is shown any more unless this one takes the place; then the window comes while the core starts.
  const show = () => {
    stage.asking = false;
    stage.window?.show();
    return again();
  };
  return meetOther({ dataDir: dataDirOf(facts.environment), other: result.other, takeOver, start: show, alone });
}

/** Does something with the desktop, once it is there. */
type WithDesktop = (act: (desktop: Desktop) => void) => void;

/** Window first, core at the same time: the page waits for its port. */
async function open(about: AppFacts, running: Promise<Running>, stage: Stage): Promise<void> {
  const { facts, given } = about;
  harden({ page: developmentPage() ?? APP_PAGE, openOutside: (url) => void openMonitorPage(running, url) });
  serveAppPage(path.join(facts.outDir, 'renderer'));
  handOverPorts(heardAlready(running.then(({ gateway }) => gateway)), pageOrigin());
  const state = await openWindowState(path.join(about.profile, 'window-state.json'));
  // Until the core runs there is nothing to hide or to quit; a start that is refused ends the program.
  const withDesktop: WithDesktop = (act) => void desktop.then(act, () => undefined);
  const window = new MainWindow({
    outDir: facts.outDir,
    page: developmentPage(),
    devTools: !app.isPackaged,
    state,
    closing: () => withDesktop((made) => made.closeWindow()),
    pageDied: (death) => withDesktop((made) => made.pageDied(death)),
  });
  stage.window = window;
  const exit = () => app.exit(0);
  const desktop = heardAlready(
    running.then((up) => new Desktop({ running: up, window, state, outDir: facts.outDir, exit })),
  );
  setMenu(() => withDesktop((made) => made.quit()));
  showOnRequest(() => stage.asking || window.show());
  listenForEnd(withDesktop);
  if (!given.hidden && !stage.asking) window.show();
  keepGoing(await running);
  await (await desktop).showTray();
}

/** For what is made of the running program: a refused start is told by `endStart` once, not once more for each. */
function heardAlready<T>(made: Promise<T>): Promise<T> {
  made.catch(() => undefined);
  return made;
}

/** A second start and the dock bring the window up, unless a bridge made that start. */
function showOnRequest(show: () => void): void {
  app.on('second-instance', (_event, _argv, _folder, data) => {
    if (!isHidden(data)) show();
  });
  app.on('activate', show);
  // The window may be closed or gone while Patchbay goes on.
  app.on('window-all-closed', () => undefined);
}

/** The monitor page is the one address that the window may open in the person's browser. */
async function openMonitorPage(running: Promise<Running>, url: string): Promise<void> {
  const { gateway, log } = await running;
  if (!url.startsWith(`${gateway.endpoints.monitorUrl}/`)) return log.warn('the window asked for a foreign address');
  await shell.openExternal(url);
}

/**
 * Ctrl+C at the terminal is a person's Quit; being ended from outside is not. Chromium, which has set handlers of its own
 * before the app is ready, would make a plain quit of every signal.
 */
function listenForEnd(withDesktop: WithDesktop): void {
  app.on('before-quit', (event) => {
    event.preventDefault();
    withDesktop((desktop) => desktop.quit());
  });
  process.on('SIGINT', () => withDesktop((desktop) => void desktop.end('person', 'Ctrl+C')));
  process.on('SIGTERM', () => withDesktop((desktop) => void desktop.end('system', 'SIGTERM')));
  process.on('SIGHUP', () => withDesktop((desktop) => void desktop.end('system', 'SIGHUP')));
}

class StartRefused extends Error {
  readonly result: Exclude<MeetingResult, { kind: 'running' }>;

  constructor(result: Exclude<MeetingResult, { kind: 'running' }>) {
    super('the start was refused');
    this.result = result;
  }
}

/**
 * Says why there is no app: on stderr, and in a dialog, unless nobody would see it, which would then wait for ever for its
 * button.
 */
function endStart({ given }: AppFacts, error: unknown): void {
  if (error instanceof StartRefused && error.result.kind === 'left') return app.exit(0);
  const { title, lines, code } = refusal(error);
  const prefix = code === EXIT_REFUSED ? FAULT_PREFIX : '';
  const exit = () => app.exit(code);
  // There is no desktop that would see to these; the dialog must not outlive them.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, exit);
  process.stderr.write(lines.map((line) => `${prefix}${line}\n`).join(''), () => {
    if (given.hidden) exit();
    else void showStartFault(title, lines).finally(exit);
  });
}

interface Refusal {
  readonly title: string;
  readonly lines: readonly string[];
  readonly code: number;
}

function refusal(error: unknown): Refusal {
  if (!(error instanceof StartRefused)) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { title: 'Patchbay met a fault of its own', lines: [detail], code: 1 };
  }
  if (error.result.kind === 'refused') {
    return { title: 'Patchbay cannot start', lines: error.result.faults, code: EXIT_REFUSED };
  }
  if (error.result.kind === 'left') return { title: '', lines: [], code: 0 };
  const { mode, pid, monitorUrl } = error.result.other;
  const line = `Patchbay runs already with this data folder (${mode}, process ${pid}). Its monitor page: ${monitorUrl}`;
  return { title: 'Patchbay runs already', lines: [line], code: 0 };
}

function isHidden(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'hidden' in data && data.hidden === true;
}

/** The window's page at the development server; only in a run from the sources and only on this computer. */
function developmentPage(): string | undefined {
  const given = process.env['PATCHBAY_DEV_URL'];
  if (app.isPackaged || given === undefined) return undefined;
  return /^http:\/\/(127\.0\.0\.1|localhost):\d+(\/|$)/.test(given) ? new URL('window.html', given).href : undefined;
}

function pageOrigin(): string {
  const page = developmentPage();
  return page === undefined ? APP_ORIGIN : new URL(page).origin;
}
