// The application menu: a real one on macOS, none elsewhere.
import { Menu, app } from 'electron';

/**
 * Sets the menu. On Linux and Windows a menu bar would take Alt and the Ctrl keys away from terminals, and Electron's
 * headless screen cannot draw one; copy, paste and zoom work without.
 */
export function setMenu(quit: () => void): void {
  if (process.platform !== 'darwin') return Menu.setApplicationMenu(null);
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      {
        label: app.name,
        submenu: [
          { role: 'about' },
          { type: 'separator' },
          { role: 'hide' },
          { role: 'hideOthers' },
          { role: 'unhide' },
          { type: 'separator' },
          { label: 'Quit Patchbay', accelerator: 'Cmd+Q', click: quit },
        ],
      },
      { role: 'editMenu' },
      {
        label: 'View',
        submenu: [{ role: 'resetZoom' }, { role: 'zoomIn' }, { role: 'zoomOut' }, { role: 'togglefullscreen' }],
      },
      { role: 'windowMenu' },
    ]),
  );
}
