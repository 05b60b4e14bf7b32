// npm start: the desktop app, or the same core without a screen.
import { ensureBuilt } from '../build/up-to-date.mjs';
import { installLine, missingLibraries } from '../electron/libraries.mjs';
import { ensureElectron } from '../electron/runtime.mjs';
import { sandboxSwitches } from '../electron/sandbox.mjs';
import { runForeground } from '../setup/child.mjs';
import { hasDisplay } from '../setup/machine.mjs';
import { ensureModules } from '../setup/modules.mjs';
import { OUT, ROOT } from '../setup/paths.mjs';
import { say } from '../setup/say.mjs';

/** Questions that are answered on stdout, without a window and without starting anything. */
const QUESTIONS = /^--(version$|print-client-config(=|$))/;

/** Starts Patchbay and stays until it ends. */
export async function command(args) {
  await ensureModules();
  const electron = await windowRuntime(args);
  await ensureBuilt(isQuestion(args) ? { parts: ['programs'] } : {});
  if (electron === undefined) return runForeground(process.execPath, [`${OUT}/headless.js`, ...withoutHeadless(args)]);
  say(`starting the window (Electron ${electron.version})`);
  return runForeground(electron.executable, [...sandboxSwitches(electron), ROOT, ...args], appEnvironment());
}

/** The Electron to start, or undefined where the program has to run without a window. */
async function windowRuntime(args) {
  if (args.includes('--headless') || isQuestion(args)) return undefined;
  if (!hasDisplay()) {
    say('no display (DISPLAY and WAYLAND_DISPLAY are not set): running headless');
    return undefined;
  }
  const electron = await ensureElectron();
  const missing = await missingLibraries(electron.executable);
  if (missing.length === 0) return electron;
  say(`Electron needs system libraries that are not installed: ${missing.join(', ')}`);
  say(`to get the window, run: ${installLine()}`);
  say('running headless until then');
  return undefined;
}

/** The app has to be started as a window even from a shell that runs Electron as Node. */
function appEnvironment() {
  const { ELECTRON_RUN_AS_NODE: _, ...rest } = process.env;
  return rest;
}

const isQuestion = (args) => args.some((arg) => QUESTIONS.test(arg));

const withoutHeadless = (args) => args.filter((arg) => arg !== '--headless');
