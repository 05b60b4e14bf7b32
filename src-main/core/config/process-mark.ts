// Tells one process from a later one with the same id. Free of packages, for the bridge.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** A text that only this one process has; empty where the operating system does not tell. */
export async function markOfProcess(pid: number): Promise<string> {
  if (process.platform === 'linux') return (await linuxState(pid))?.mark ?? '';
  if (process.platform === 'darwin') return startTimeByPs(pid);
  return '';
}

/** True when the process with this id runs and is the one that had this mark. */
export async function isSameProcess(pid: number, mark: string): Promise<boolean> {
  if (!exists(pid)) return false;
  if (process.platform === 'linux') {
    const state = await linuxState(pid);
    // A zombie has ended; it only waits for its parent, which may never look.
    return state !== undefined && !state.ended && state.mark === mark;
  }
  return mark === '' || (await markOfProcess(pid)) === mark;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it exists and belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Start time in clock ticks since boot (proc(5), field 22), and which boot. */
async function linuxState(pid: number): Promise<{ mark: string; ended: boolean } | undefined> {
  try {
    const [stat, boot] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    ]);
    // The name in field 2 may hold blanks and parentheses; what follows the last one does not.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { mark: `${boot.trim()}/${fields[19] ?? ''}`, ended: fields[0] === 'Z' || fields[0] === 'X' };
  } catch {
    // It ended between the look-up and the read, or /proc is hidden.
    return undefined;
  }
}

async function startTimeByPs(pid: number): Promise<string> {
  try {
    return (await promisify(execFile)('/bin/ps', ['-o', 'lstart=', '-p', String(pid)])).stdout.trim();
  } catch {
    // ps exits with 1 when there is no such process.
    return '';
  }
}
