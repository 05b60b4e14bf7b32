// Runs the program itself in the foreground: our streams, our signals, its exit code.
import { spawn } from 'node:child_process';
import os from 'node:os';
import { ROOT } from './paths.mjs';

/** How often the parent is looked for. */
const PARENT_POLL_MS = 1000;
/** Whoever started us; noted at once, for it may be gone before the program runs. */
const PARENT = process.ppid;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Runs a program until it ends. @returns its exit code; 128 + n after a signal */
export function runForeground(command, args, env = process.env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, env, stdio: 'inherit' });
    const listeners = SIGNALS.map((signal) => [signal, () => passOn(child, signal)]);
    for (const [signal, listener] of listeners) process.on(signal, listener);
    const watch = watchParent(() => child.kill('SIGTERM'));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearInterval(watch);
      for (const [name, listener] of listeners) process.off(name, listener);
      resolve(code ?? 128 + os.constants.signals[signal]);
    });
  });
}

/** A terminal sends Ctrl+C to the whole group, so the program has it already; twice would mean "at once". */
function passOn(child, signal) {
  if (signal === 'SIGINT' && process.stdin.isTTY) return;
  child.kill(signal);
}

/**
 * npm passes a signal on to the shell between us only, which ends without a word. Outside npm a parent may well go and leave
 * us at work, as after nohup. @returns the timer, undefined where nobody is watched
 */
function watchParent(gone) {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const timer = setInterval(() => {
    if (process.ppid === PARENT) return;
    clearInterval(timer);
    gone();
  }, PARENT_POLL_MS);
  return timer.unref();
}
