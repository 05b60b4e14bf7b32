// The one window: made when it is first shown, kept while hidden, brought back when its page has died.
import path from 'node:path';
import { BrowserWindow, nativeTheme, screen } from 'electron';
import type { Rectangle } from 'electron';
import { APP_PAGE } from './app-page.ts';
import type { WindowStateFile } from './window-state.ts';

const DEFAULT_SIZE = { width: 1200, height: 800 };
const LEAST_SIZE = { minWidth: 640, minHeight: 480 };
/** A page that dies more often than this within the time below is not brought back by itself any more. */
const REVIVE_LIMIT = 5;
const REVIVE_WINDOW_MS = 60_000;
const ZOOM_STEP = 0.5;
/** Background before the page is drawn, as the page's own. */
const BACKGROUND = { dark: '#14171c', light: '#ffffff' };

/** What the window needs and tells. */
export interface MainWindowOptions {
  /** Folder of the built programs. */
  readonly outDir: string;
  /** Address of the page; that of the development server in development. */
  readonly page: string | undefined;
  readonly devTools: boolean;
  readonly state: WindowStateFile;
  /** The person closes the window. */
  readonly closing: () => void;
  readonly pageDied: (facts: { readonly reason: string; readonly revived: boolean }) => void;
}

/** The window. */
export class MainWindow {
  readonly #options: MainWindowOptions;
  #window: BrowserWindow | undefined;
  #deaths: number[] = [];
  /** The person wants to see it; until its first picture is there it waits. */
  #wanted = false;
  #drawn = false;
  #ended = false;

  constructor(options: MainWindowOptions) {
    this.#options = options;
  }

  /** For dialogs that belong to it; undefined while it does not exist or is hidden. */
  get visible(): BrowserWindow | undefined {
    return this.#window?.isVisible() === true ? this.#window : undefined;
  }

  /** Shows it in front of everything. Only ever called for something that the person did. */
  show(): void {
    if (this.#ended) return;
    this.#wanted = true;
    const window = this.#window ?? this.#create();
    if (window.isMinimized()) window.restore();
    if (this.#drawn) this.#reveal(window);
  }

  hide(): void {
    this.#wanted = false;
    // Hiding a window that was never shown keeps Chromium from drawing its first picture, for which showing waits.
    if (this.#drawn) this.#window?.hide();
  }

  /** Starts the page anew after it died. */
  restart(): void {
    this.#deaths = [];
    this.#window?.webContents.reload();
    this.show();
  }

  /** Destroys it for good. */
  end(): void {
    this.#ended = true;
    this.#window?.destroy();
    this.#window = undefined;
  }

  #create(): BrowserWindow {
    const { outDir, state, devTools, page } = this.#options;
    const window = new BrowserWindow({
      ...DEFAULT_SIZE,
      ...LEAST_SIZE,
      ...visibleBounds(state.current.bounds),
      show: false,
      title: 'Patchbay',
      icon: path.join(outDir, 'assets', 'icon.png'),
      backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
      webPreferences: {
        preload: path.join(outDir, 'preload.cjs'),
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webviewTag: false,
        spellcheck: false,
        devTools,
      },
    });
    this.#window = window;
    this.#listen(window);
    // A page that cannot be loaded is told by did-fail-load, too.
    window.loadURL(page ?? APP_PAGE).catch(() => undefined);
    return window;
  }

  #listen(window: BrowserWindow): void {
    // Shown with its first picture, so that it does not flash; also when that is only why there is none.
    const drawn = () => this.#firstPicture(window);
    window.once('ready-to-show', drawn);
    window.webContents.once('did-fail-load', drawn);
    window.on('close', (event) => {
      this.#remember(window);
      if (this.#ended) return;
      event.preventDefault();
      this.#options.closing();
    });
    window.on('closed', () => {
      this.#window = undefined;
      this.#drawn = false;
    });
    window.webContents.on('render-process-gone', (_event, { reason }) => this.#revive(window, reason));
    window.webContents.on('before-input-event', (_event, input) => {
      const zoom = zoomOf(input);
      if (zoom !== undefined)
        window.webContents.setZoomLevel(zoom === 0 ? 0 : window.webContents.getZoomLevel() + zoom);
    });
  }

  #firstPicture(window: BrowserWindow): void {
    if (this.#drawn || window.isDestroyed()) return;
    this.#drawn = true;
    if (this.#options.state.current.maximized) window.maximize();
    if (this.#wanted) this.#reveal(window);
    else window.hide();
  }

  #reveal(window: BrowserWindow): void {
    window.show();
    window.focus();
  }

  /** Sessions and commands go on without the page; the new one gets their history. */
  #revive(window: BrowserWindow, reason: string): void {
    if (this.#ended || reason === 'clean-exit') return;
    const now = Date.now();
    this.#deaths = [...this.#deaths.filter((at) => at > now - REVIVE_WINDOW_MS), now];
    const revived = this.#deaths.length <= REVIVE_LIMIT;
    this.#options.pageDied({ reason, revived });
    if (!revived) return;
    // Not in the event itself: the dead process is still being put away then.
    setImmediate(() => {
      if (!window.isDestroyed()) window.webContents.reload();
    });
  }

  #remember(window: BrowserWindow): void {
    const bounds = window.getNormalBounds();
    void this.#options.state.update({ bounds, maximized: window.isMaximized() });
  }
}

/** The old place, unless its screen has gone. */
function visibleBounds(bounds: Rectangle | undefined): Partial<Rectangle> {
  if (bounds === undefined) return {};
  const { workArea } = screen.getDisplayMatching(bounds);
  const isSeen =
    bounds.x < workArea.x + workArea.width - 100 &&
    bounds.x + bounds.width > workArea.x + 100 &&
    bounds.y >= workArea.y &&
    bounds.y < workArea.y + workArea.height - 100;
  return isSeen ? bounds : { width: bounds.width, height: bounds.height };
}

/** Without an application menu (see menu.ts) the usual zoom keys are ours to answer; 0 means back to normal. */
function zoomOf(input: Electron.Input): number | undefined {
  if (input.type !== 'keyDown' || !(input.control || input.meta) || input.alt) return undefined;
  if (input.key === '0') return 0;
  if (input.key === '+' || input.key === '=') return ZOOM_STEP;
  return input.key === '-' ? -ZOOM_STEP : undefined;
}
