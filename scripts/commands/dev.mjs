// npm run dev: the app with pages that change while it runs, and a restart when one of its programs changes.
import { spawn } from 'node:child_process';
import { watchPrograms } from '../build/bundles.mjs';
import { servePages } from '../build/renderer.mjs';
import { ensureBuilt } from '../build/up-to-date.mjs';
import { ensureElectron } from '../electron/runtime.mjs';
import { sandboxSwitches } from '../electron/sandbox.mjs';
import { reasonAgainstWindow } from '../setup/display.mjs';
import { ensureModules } from '../setup/modules.mjs';
import { OUT, ROOT } from '../setup/paths.mjs';
import { say } from '../setup/say.mjs';

/** Several bundles are written for one change; the program is started again once, this long after the last. */
const SETTLE_MS = 200;

/** Runs until it is stopped; without a display it restarts the headless program. */
export async function command(args) {
  await ensureModules();
  await ensureBuilt();
  const pages = await servePages();
  say(`pages are served with live changes at ${pages.url}`);
  const [program, before] = await programToRun(args);
  const app = restartable(program, [...before, ...args], { ...process.env, PATCHBAY_DEV_URL: pages.url });
  const stopWatching = await watchPrograms(app.restart);
  await app.ended;
  await Promise.all([stopWatching(), pages.close()]);
  return 0;
}

/** @returns {Promise<[string, string[]]>} the program and its first arguments */
async function programToRun(args) {
  if (args.includes('--headless') || (await reasonAgainstWindow()) !== undefined)
    return [process.execPath, [`${OUT}/headless.js`]];
  const electron = await ensureElectron();
  return [electron.executable, [...sandboxSwitches(electron), ROOT]];
}

/** A program that can be started again; `ended` is settled when it ends by itself or by a signal to us. */
function restartable(program, args, env) {
  let child;
  let timer;
  let finish;
  const ended = new Promise((resolve) => {
    finish = resolve;
  });
  const start = () => {
    const one = spawn(program, args, { cwd: ROOT, env, stdio: 'inherit' });
    child = one;
    // One that was replaced is of no interest any more.
    one.once('close', () => one === child && finish());
  };
  const replace = () => {
    const old = child;
    child = undefined;
    old.once('close', start);
    old.kill('SIGTERM');
    say('a program changed: starting again');
  };
  const restart = () => {
    clearTimeout(timer);
    timer = setTimeout(() => child && replace(), SETTLE_MS);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child?.kill(signal));
  start();
  return { restart, ended };
}
