// Finds and ends processes that a test started, by their pids, and waits for conditions.
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 10;
const DEADLINE_MS = 10_000;

/** Polls until the condition holds; rejects at the deadline, naming what was waited for. */
export async function waitFor(
  what: string,
  condition: () => boolean | Promise<boolean>,
  deadlineMs = DEADLINE_MS,
): Promise<void> {
  const end = Date.now() + deadlineMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`waited ${deadlineMs} ms in vain for ${what}`);
    await sleep(POLL_MS);
  }
}

/** Every other process in the mount namespace of `pid` when that is not this process's own namespace; else none. */
export function processesInMountNamespace(pid: number): readonly number[] {
  const wanted = namespaceOf(pid);
  if (wanted === null || wanted === namespaceOf(process.pid)) return [];
  return allPids().filter((other) => other !== pid && namespaceOf(other) === wanted);
}

/** The processes that serve connections of a listening sshd: its children and grandchildren that are sshd themselves. */
export function sshdChildren(pid: number): readonly number[] {
  const children = childrenOf(pid);
  const own = [...children, ...children.flatMap(childrenOf)];
  return own.filter(isSshd);
}

/** Whether a process runs sshd's program. */
export function isSshd(pid: number): boolean {
  return readProc(pid, 'comm').startsWith('sshd');
}

/** Kills processes and waits until they are gone. */
export async function endProcesses(pids: readonly number[]): Promise<void> {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Gone already: that is what was wanted.
    }
  }
  await waitFor(`processes ${pids.join(', ')} to end`, () => !pids.some(isRunning));
}

/** Whether a process exists and is not a zombie. */
export function isRunning(pid: number): boolean {
  const state = /^State:\s+(\w)/m.exec(readProc(pid, 'status'))?.[1];
  return state !== undefined && state !== 'Z' && state !== 'X';
}

function childrenOf(pid: number): readonly number[] {
  return readProc(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}

function allPids(): readonly number[] {
  return fs.readdirSync('/proc').map(Number).filter(Number.isInteger);
}

function namespaceOf(pid: number): string | null {
  try {
    return fs.readlinkSync(`/proc/${pid}/ns/mnt`);
  } catch {
    // The process has ended meanwhile.
    return null;
  }
}

function readProc(pid: number, file: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // The process has ended meanwhile.
    return '';
  }
}
