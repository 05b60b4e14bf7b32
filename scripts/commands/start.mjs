// npm start: the desktop app, or the same core without a screen.
import { ensureBuilt } from '../build/up-to-date.mjs';
import { installLine, missingLibraries } from '../electron/libraries.mjs';
import { ensureElectron } from '../electron/runtime.mjs';
import { sandboxSwitches } from '../electron/sandbox.mjs';
import { runForeground } from '../setup/child.mjs';
import { reasonAgainstWindow } from '../setup/display.mjs';
import { ensureModules } from '../setup/modules.mjs';
import { OUT, ROOT } from '../setup/paths.mjs';
import { say } from '../setup/say.mjs';

/** What is answered or done at the terminal, without a window and without starting anything. */
const QUESTIONS = /^(-h|--(version|help|stop|print-client-config(=.*)?))$/;

/** Starts Patchbay and stays until it ends. */
export async function command(args) {
  await ensureModules();
  const { electron, why } = await windowRuntime(args);
  await ensureBuilt(isQuestion(args) ? { parts: ['programs'] } : {});
  if (electron === undefined) {
    // The program says it where it starts something; where it only finds another one, it would be wrong.
    const env = why === undefined ? process.env : { ...process.env, PATCHBAY_NO_WINDOW: why };
    return runForeground(process.execPath, [`${OUT}/headless.js`, ...args], env);
  }
  say(`starting the window (Electron ${electron.version})`);
  return runForeground(electron.executable, [...sandboxSwitches(electron), ROOT, ...args], appEnvironment());
}

/** The Electron to start, or none where the program has to run without a window, and why. */
async function windowRuntime(args) {
  if (args.includes('--headless') || isQuestion(args)) return {};
  const why = await reasonAgainstWindow();
  if (why !== undefined) return { why };
  const electron = await ensureElectron();
  const missing = await missingLibraries(electron.executable);
  if (missing.length === 0) return { electron };
  say(`Electron needs system libraries that are not installed: ${missing.join(', ')}`);
  say(`to get the window, run: ${installLine()}`);
  return { why: 'system libraries are missing' };
}

/** The app has to be started as a window even from a shell that runs Electron as Node. */
function appEnvironment() {
  const { ELECTRON_RUN_AS_NODE: _, ...rest } = process.env;
  // So that the entry for clients that the window shows names the same Node as the one that is printed.
  return { ...rest, PATCHBAY_NODE: process.execPath };
}

const isQuestion = (args) => args.some((arg) => QUESTIONS.test(arg));
