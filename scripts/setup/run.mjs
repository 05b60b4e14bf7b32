// Starts other programs and waits for their end.
import { spawn } from 'node:child_process';
import { inRoot, ROOT } from './paths.mjs';

/**
 * Runs a program with our streams; its stdout goes to stderr unless `stdout` says 'inherit'.
 * @param {string} command @param {readonly string[]} args
 * @param {{env?: Record<string, string|undefined>, cwd?: string, stdout?: 'inherit'|'stderr'}} [options]
 * @returns {Promise<number>} the exit code; 128 + n after a signal
 */
export function run(command, args, { env = process.env, cwd = ROOT, stdout = 'stderr' } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ['ignore', stdout === 'inherit' ? 'inherit' : 2, 'inherit'],
    });
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? 128 + signalNumber(signal)));
  });
}

/** Runs a program and keeps what it prints. */
export function capture(command, args, { env = process.env, cwd = ROOT } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const out = [];
    const err = [];
    child.stdout.on('data', (chunk) => out.push(chunk));
    child.stderr.on('data', (chunk) => err.push(chunk));
    child.once('error', (error) => resolve({ code: 127, stdout: '', stderr: error.message }));
    child.once('close', (code) =>
      resolve({ code: code ?? 1, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    );
  });
}

/** The command line that runs a program of an installed package without npx. */
export function packageProgram(file) {
  return [process.execPath, inRoot('node_modules', file)];
}

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };

const signalNumber = (signal) => SIGNALS[signal] ?? 1;
