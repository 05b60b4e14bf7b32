// Starts a program of Patchbay that outlives the bridge, and notices when it refuses to run.
import { spawn } from 'node:child_process';
import { EXIT_REFUSED } from '../../src-shared/mcp-identity.ts';
import type { Program } from './programs.ts';

/** The lines by which a program says why it does not start. */
const FAULT_PREFIX = 'patchbay: ';
/** More of a program's stderr is of no use in an answer, in characters. */
const STDERR_MAX = 8_000;

/** How a start stands. `refused`: its own line says why. `broken`: it cannot run on this machine, or crashed. */
export type LaunchState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'refused'; readonly line: string; readonly ended: boolean }
  | { readonly kind: 'broken'; readonly reason: string }
  /** It ended of its own accord, because another Patchbay was there first. */
  | { readonly kind: 'gave-way' };

/** A program that was started. */
export interface Launch {
  readonly state: LaunchState;
  /** Lets it go: it lives on without us. */
  release(): void;
}

/** Starts the program, detached, with nothing of ours but a pipe for its last words. */
export function launch(program: Program, folder: string): Launch {
  const child = spawn(program.command, program.args, {
    cwd: folder,
    env: program.environment,
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  let end: { readonly code: number | null; readonly reason: string } | undefined;
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', (piece: string) => {
    if (text.length < STDERR_MAX) text += piece;
  });
  child.on('error', (error) => (end ??= { code: null, reason: error.message }));
  // `close` comes after the last of stderr was read.
  child.on('close', (code, signal) => (end ??= { code, reason: `it ended with ${signal ?? `code ${code}`}` }));
  child.unref();
  return {
    get state() {
      return stateOf(text, end);
    },
    release: () => child.stderr.destroy(),
  };
}

function stateOf(
  text: string,
  end: { readonly code: number | null; readonly reason: string } | undefined,
): LaunchState {
  const lines = text.split('\n').slice(0, end === undefined ? -1 : undefined);
  const faults = lines.filter((line) => line.startsWith(FAULT_PREFIX)).map((line) => line.slice(FAULT_PREFIX.length));
  if (faults.length > 0 && (end === undefined || end.code === EXIT_REFUSED)) {
    return { kind: 'refused', line: faults.join('; '), ended: end !== undefined };
  }
  if (end === undefined) return { kind: 'starting' };
  if (end.code === 0) return { kind: 'gave-way' };
  const last = lines.findLast((line) => line.trim() !== '');
  return { kind: 'broken', reason: last === undefined ? end.reason : `${end.reason}: ${last.trim()}` };
}
