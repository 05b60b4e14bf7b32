// Ties window, tray and notifications to the running core: what happens on close, on quit, on a second start.
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { PersonActor } from '../../src-shared/model/index.ts';
import { visibleText } from '../../src-shared/visible-text.ts';
import type { Running } from '../running.ts';
import { askToQuit, askToReload, askWithoutTray, tellAboutTray } from './dialogs.ts';
import type { AtWork } from './dialogs.ts';
import { notifyHostKeys } from './host-key-notices.ts';
import type { MainWindow } from './main-window.ts';
import { isScreenless } from './screen-kind.ts';
import { hasTrayHost } from './tray-host.ts';
import { TrayIcon } from './tray.ts';
import type { TrayState } from './tray-state.ts';
import type { WindowStateFile } from './window-state.ts';

/** A host that does not let go must not keep the program alive for longer than this. */
const CLOSE_MS = 10_000;

/** The person at the tray, in the journal. */
const AT_TRAY: PersonActor = { kind: 'person', id: 'tray', view: 'tray' };

/** What the desktop needs. */
export interface DesktopOptions {
  readonly running: Running;
  readonly window: MainWindow;
  readonly state: WindowStateFile;
  readonly outDir: string;
  /** Ends the process; everything is closed. */
  readonly exit: () => void;
}

/** The app on the desktop, from the moment the core runs until the end. */
export class Desktop {
  readonly #options: DesktopOptions;
  #tray: TrayIcon | undefined;
  readonly #ends: readonly (() => void)[];
  /** A question is on the screen; a second press must not ask again. */
  #asking = false;
  #ending = false;

  constructor(options: DesktopOptions) {
    this.#options = options;
    const { core } = options.running;
    const refresh = () => this.#tray?.show(this.#trayState());
    this.#ends = [
      core.events.on('session.changed', refresh),
      core.events.on('session.removed', refresh),
      core.events.on('pause.changed', refresh),
      notifyHostKeys(core, () => options.window.show()),
    ];
  }

  /** Puts the icon into the tray. Without a screen and without a tray GTK would end the program over it. */
  async showTray(): Promise<void> {
    if (isScreenless() && !(await hasTrayHost())) return;
    if (this.#ending) return;
    const { window, outDir } = this.#options;
    const actions = {
      open: () => window.show(),
      setPaused: (paused: boolean) => this.#setPaused(paused),
      quit: () => this.quit(),
    };
    this.#tray = new TrayIcon(path.join(outDir, 'assets'), actions, this.#trayState());
  }

  /** The person closes the window: it hides where a tray can bring it back, else it asks. */
  closeWindow(): void {
    this.#askOnce(async () => {
      const { window, state } = this.#options;
      if (!(await hasTrayHost())) {
        if (await askWithoutTray(window.visible)) await this.#quitUnlessCancelled();
        return;
      }
      const answer = state.current.toldAboutTray ? 'hide' : await tellAboutTray(window.visible);
      if (answer === undefined) return;
      await state.update({ toldAboutTray: true });
      if (answer === 'hide') window.hide();
      else await this.#quitUnlessCancelled();
    });
  }

  /** The person chose Quit: asks when something is at work. */
  quit(): void {
    this.#askOnce(() => this.#quitUnlessCancelled());
  }

  /** The page died; when it does so again and again the person decides. */
  pageDied({ reason, revived }: { readonly reason: string; readonly revived: boolean }): void {
    const { running, window } = this.#options;
    running.log.warn('the page of the window died', { reason, revived });
    if (revived) return;
    this.#askOnce(async () => {
      if (await askToReload(reason)) window.restart();
    });
  }

  /** Ends without a question: the computer goes down, or somebody ends the program from outside. */
  async end(by: 'person' | 'system', reason: string): Promise<void> {
    if (this.#ending) return;
    this.#ending = true;
    for (const end of this.#ends) end();
    this.#tray?.close();
    this.#options.window.end();
    try {
      await Promise.race([this.#options.running.close(by, reason), wait(CLOSE_MS, undefined, { ref: false })]);
    } finally {
      this.#options.exit();
    }
  }

  async #quitUnlessCancelled(): Promise<void> {
    const work = this.#atWork();
    if (work.commands.length > 0 && !(await askToQuit(this.#options.window.visible, work))) return;
    await this.end('person', 'the person has quit Patchbay');
  }

  #askOnce(ask: () => Promise<void>): void {
    if (this.#asking || this.#ending) return;
    this.#asking = true;
    ask()
      .catch((error: unknown) => this.#options.running.log.error('a question to the person failed', { error }))
      .finally(() => (this.#asking = false));
  }

  #atWork(): AtWork {
    const sessions = this.#options.running.core.sessions.list();
    const commands = sessions.flatMap((session) =>
      session
        .commands()
        .map((command) => command.view())
        .filter(({ status }) => status === 'running' || status === 'queued')
        .map(({ command }) => `${session.name}: ${firstLine(command)}`),
    );
    return { commands, sessions: sessions.length };
  }

  #trayState(): TrayState {
    const { sessions, pause } = this.#options.running.core;
    return { sessions: sessions.list().map((session) => session.view()), pause: pause.state };
  }

  #setPaused(paused: boolean): void {
    const { core, log } = this.#options.running;
    core.pause
      .set(paused ? 'input' : 'off', AT_TRAY)
      .catch((error: unknown) => log.error('pausing from the tray failed', { error }));
  }
}

/** A command in a native dialog is one short line in which nothing is hidden. */
function firstLine(command: string): string {
  const line = command.trim().split('\n', 1)[0] ?? '';
  const plain = visibleText(line);
  return plain.length > 80 ? `${plain.slice(0, 79)}…` : plain;
}
