// Whether there is a screen that a person sees. Electron can draw windows without one, but no dialogs and no GTK icons.
import { app } from 'electron';

/** True under `--ozone-platform=headless`. */
export function isScreenless(): boolean {
  return app.commandLine.getSwitchValue('ozone-platform') === 'headless';
}
