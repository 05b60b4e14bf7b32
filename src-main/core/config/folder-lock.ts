// A lock on a data folder that dies with its holder: at most one process has it, also when many ask at once.
// Files are numbered and a number is never used twice while it is the highest, so that taking over a dead holder's
// lock is one atomic step (a link that fails when the name exists) with no moment in which two could win.
import { randomUUID } from 'node:crypto';
import { link, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ensurePrivateFolder } from './data-dir.ts';
import { isSameProcess, markOfProcess } from './process-mark.ts';
import { errorCode, isMissing } from './system-error.ts';
import { PRIVATE_FILE, writePrivate } from './write-private.ts';

/** A lock that is held by this process. */
export interface FolderLock {
  release(): Promise<void>;
}

interface Holder {
  readonly pid: number;
  readonly mark: string;
}

/** Takes the lock called `name`; undefined when a living process has it. */
export async function tryLock(dataDir: string, name: string): Promise<FolderLock | undefined> {
  const folder = path.join(dataDir, 'locks');
  await ensurePrivateFolder(folder);
  const me = JSON.stringify({ pid: process.pid, mark: await markOfProcess(process.pid) });
  for (;;) {
    const highest = await highestNumber(folder, name);
    if (highest > 0 && (await livingHolder(fileOf(folder, name, highest))) !== undefined) return undefined;
    const mine = highest + 1;
    if (!(await create(fileOf(folder, name, mine), me))) continue;
    // A slow look may have missed a higher number, whose holder cleaned up the lower ones: then this one counts for nothing.
    if ((await highestNumber(folder, name)) !== mine) {
      await rm(fileOf(folder, name, mine), { force: true });
      continue;
    }
    await removeBelow(folder, name, mine);
    return { release: () => writePrivate(fileOf(folder, name, mine), 'released\n') };
  }
}

/** Process id of the living holder; undefined when nobody has the lock. */
export async function lockHolder(dataDir: string, name: string): Promise<number | undefined> {
  const folder = path.join(dataDir, 'locks');
  try {
    const highest = await highestNumber(folder, name);
    return highest > 0 ? await livingHolder(fileOf(folder, name, highest)) : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The file appears with its whole content, or not at all when the name is taken. */
async function create(file: string, content: string): Promise<boolean> {
  const draft = `${file}.${randomUUID()}.draft`;
  await writeFile(draft, content, { mode: PRIVATE_FILE, flag: 'wx' });
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function livingHolder(file: string): Promise<number | undefined> {
  try {
    const holder = parseHolder(await readFile(file, 'utf8'));
    return holder !== undefined && (await isSameProcess(holder.pid, holder.mark)) ? holder.pid : undefined;
  } catch (error) {
    // Somebody took over and cleaned up; the next look sees the higher number.
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Undefined: released, or not written by us. */
function parseHolder(text: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('mark' in value)) return undefined;
    const { pid, mark } = value;
    return typeof pid === 'number' && typeof mark === 'string' ? { pid, mark } : undefined;
  } catch {
    // `released` is no JSON.
    return undefined;
  }
}

async function numbers(folder: string, name: string): Promise<number[]> {
  const pattern = /^(.+)\.(\d+)$/;
  return (await readdir(folder)).flatMap((entry) => {
    const match = pattern.exec(entry);
    return match !== null && match[1] === name ? [Number(match[2])] : [];
  });
}

async function highestNumber(folder: string, name: string): Promise<number> {
  return Math.max(0, ...(await numbers(folder, name)));
}

async function removeBelow(folder: string, name: string, limit: number): Promise<void> {
  const old = (await numbers(folder, name)).filter((number) => number < limit);
  await Promise.all(old.map((number) => rm(fileOf(folder, name, number), { force: true })));
}

function fileOf(folder: string, name: string, number: number): string {
  return path.join(folder, `${name}.${number}`);
}
