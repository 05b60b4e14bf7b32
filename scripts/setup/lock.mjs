// One writer at a time: a lock file that holds its owner's process id, so that a dead owner's lock is taken over.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CACHE } from './paths.mjs';
import { PlainFailure, say } from './say.mjs';

const POLL_MS = 100;
/** Short waits are not worth a line. */
const TELL_AFTER_MS = 1_000;
const GIVE_UP_MS = 20 * 60_000;
/** An owner on another machine (shared folder) cannot be asked; its lock counts until this age. */
const FOREIGN_AGE_MS = 15 * 60_000;
/** A lock file without readable content is one that is being written just now, up to this age. */
const UNREADABLE_AGE_MS = 5_000;

/** Runs `work` while holding the named lock; waits for another holder and says so. */
export async function withLock(name, work, folder = CACHE) {
  fs.mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${name}.lock`);
  const mark = JSON.stringify({ pid: process.pid, host: os.hostname(), id: randomUUID() });
  await acquire(file, mark);
  const release = () => releaseIfOurs(file, mark);
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

async function acquire(file, mark) {
  const started = Date.now();
  let told = false;
  while (!tryCreate(file, mark)) {
    if (takeOverStale(file)) continue;
    const waitedMs = Date.now() - started;
    if (waitedMs > TELL_AFTER_MS && !told) {
      told = true;
      say(`waiting for another run that holds ${path.basename(file)} ...`);
    }
    if (waitedMs > GIVE_UP_MS)
      throw new PlainFailure(`${file} is held for too long: end the other run or delete the file`);
    await wait(POLL_MS);
  }
}

/** Creates the lock with its content in one step: a link to a finished file fails when the name is taken. */
function tryCreate(file, mark) {
  const draft = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  fs.writeFileSync(draft, mark);
  try {
    fs.linkSync(draft, file);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

/** Removes a dead owner's lock. Renaming first makes sure that only one of several waiters removes this very lock. */
function takeOverStale(file) {
  const seen = readLock(file);
  if (seen === undefined) return true;
  if (!isStale(seen)) return false;
  const aside = `${file}.stale.${process.pid}`;
  try {
    fs.renameSync(file, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return true;
    throw error;
  }
  const moved = fs.readFileSync(aside, 'utf8');
  if (moved !== seen.text) return putBack(aside, file);
  fs.rmSync(aside, { force: true });
  return true;
}

/** Another waiter was quicker and the lock is a live one: give it back to its owner. */
function putBack(aside, file) {
  try {
    fs.linkSync(aside, file);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  fs.rmSync(aside, { force: true });
  return false;
}

function readLock(file) {
  try {
    const text = fs.readFileSync(file, 'utf8');
    return { text, ageMs: Date.now() - fs.statSync(file).mtimeMs };
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function isStale({ text, ageMs }) {
  let owner;
  try {
    owner = JSON.parse(text);
  } catch {
    return ageMs > UNREADABLE_AGE_MS;
  }
  if (owner.host !== os.hostname()) return ageMs > FOREIGN_AGE_MS;
  return !isAlive(owner.pid);
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function releaseIfOurs(file, mark) {
  if (readLock(file)?.text === mark) fs.rmSync(file, { force: true });
}
