// The tray icon: who drives, how many sessions, and the three things that a person wants without the window.
import path from 'node:path';
import { Menu, Tray, nativeImage } from 'electron';
import { jackOf, tooltipOf } from './tray-state.ts';
import type { Jack, TrayState } from './tray-state.ts';

/** What the person can do there. */
export interface TrayActions {
  readonly open: () => void;
  readonly setPaused: (paused: boolean) => void;
  readonly quit: () => void;
}

/** The icon. */
export class TrayIcon {
  readonly #tray: Tray;
  readonly #assets: string;
  readonly #actions: TrayActions;
  #shown = '';

  constructor(assets: string, actions: TrayActions, state: TrayState) {
    this.#assets = assets;
    this.#actions = actions;
    this.#tray = new Tray(this.#image(jackOf(state)));
    this.#tray.on('click', actions.open);
    this.show(state);
  }

  /** Shows a state; setting the same again would make some desktops flicker. */
  show(state: TrayState): void {
    const [jack, tooltip, paused] = [jackOf(state), tooltipOf(state), state.pause !== 'off'];
    const key = `${jack} ${tooltip} ${paused}`;
    if (key === this.#shown) return;
    this.#shown = key;
    this.#tray.setImage(this.#image(jack));
    this.#tray.setToolTip(tooltip);
    this.#tray.setContextMenu(this.#menu(paused));
  }

  close(): void {
    this.#tray.destroy();
  }

  #menu(paused: boolean): Menu {
    const { open, setPaused, quit } = this.#actions;
    return Menu.buildFromTemplate([
      { label: 'Open Patchbay', click: open },
      { type: 'separator' },
      paused
        ? { label: 'Resume assistants', click: () => setPaused(false) }
        : { label: 'Pause all assistants', click: () => setPaused(true) },
      { type: 'separator' },
      { label: 'Quit Patchbay', click: quit },
    ]);
  }

  #image(jack: Jack): Electron.NativeImage {
    return nativeImage.createFromPath(path.join(this.#assets, `tray-${jack}.png`));
  }
}
