// The spool: exact bytes at any offset while it grows, memory then file, back-pressure, and a disk that fails.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDiskGuard } from '../../../src-main/core/lanes/disk-guard.ts';
import { createSpool } from '../../../src-main/core/lanes/spool.ts';
import type { Spool, SpoolOptions } from '../../../src-main/core/lanes/spool.ts';
import { waitFor } from '../../support/processes.ts';

let folder: string;
const spools: Spool[] = [];
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'patchbay-spool-'));
});
afterEach(async () => {
  await Promise.all(spools.splice(0).map((spool) => spool.remove()));
  fs.rmSync(folder, { recursive: true });
});

const file = (): string => path.join(folder, 'c-test.out');

function make(changes: Partial<SpoolOptions> = {}): Spool {
  const guard = { allows: () => Promise.resolve(true) };
  const spool = createSpool({ file: file(), guard, onFault: () => undefined, memoryBytes: 1000, ...changes });
  spools.push(spool);
  return spool;
}

/** Bytes whose value tells their place. */
function pattern(from: number, length: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, index) => ((from + index) * 31 + ((from + index) >> 8)) & 255));
}

describe('createSpool', () => {
  it('keeps small output in memory', async () => {
    const spool = make();
    expect(spool.append(Buffer.from('hello '))).toBe(0);
    expect(spool.append(Buffer.from('world'))).toBe(6);
    expect(spool.length).toBe(11);
    expect((await spool.read(0, 100)).toString()).toBe('hello world');
    expect((await spool.read(4, 3)).toString()).toBe('o w');
    expect((await spool.read(11, 5)).length).toBe(0);
    expect(fs.existsSync(file())).toBe(false);
  });

  it('moves to a private file when it outgrows memory, and reads across the border while it grows', async () => {
    const spool = make();
    const sizes = [1, 999, 1, 5000, 70_000, 3, 40_000, 1_200_000];
    for (const size of sizes) {
      spool.append(pattern(spool.length, size));
      const offset = Math.floor(spool.length / 3);
      const [middle, tail] = await Promise.all([spool.read(offset, 50), spool.read(Math.max(0, spool.length - 2), 50)]);
      expect(middle.equals(pattern(offset, Math.min(50, spool.length - offset)))).toBe(true);
      expect(tail.equals(pattern(spool.length - tail.length, tail.length))).toBe(true);
    }
    const total = sizes.reduce((sum, size) => sum + size, 0);
    await waitFor('the file', () => fs.existsSync(file()) && fs.statSync(file()).size === total);
    expect((await spool.read(0, total)).equals(pattern(0, total))).toBe(true);
    expect(fs.statSync(file()).mode & 0o777).toBe(0o600);
  });

  it('says when it is full, and when it is not any more', async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<boolean>((resolve) => {
      open = () => resolve(true);
    });
    const spool = make({ guard: { allows: () => gate } });
    for (let count = 0; count < 80; count += 1) spool.append(Buffer.alloc(64 * 1024));
    expect(spool.full).toBe(true);
    let drained = false;
    const wait = spool.drained().then(() => {
      drained = true;
    });
    await Promise.resolve();
    expect(drained).toBe(false);
    open();
    await wait;
    expect(spool.full).toBe(false);
    expect(spool.length).toBe(80 * 64 * 1024);
  });

  it('drains whatever the moment at which a piece comes', async () => {
    const spool = make();
    for (let turns = 0; turns < 12; turns += 1) {
      spool.append(Buffer.alloc(64 * 1024));
      await spool.drained();
      // A piece that comes just when the writer has found nothing more to write must not be left behind.
      const size = fs.existsSync(file()) ? fs.statSync(file()).size : 0;
      await waitFor('a write', () => fs.existsSync(file()) && fs.statSync(file()).size > size - 1);
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      spool.append(Buffer.alloc(5 * 1024 ** 2));
      await spool.drained();
    }
    expect(spool.full).toBe(false);
    await waitFor('the rest', () => fs.statSync(file()).size === spool.length);
  });

  it('tells listeners about growth and end', () => {
    const spool = make();
    let told = 0;
    const stop = spool.onChange(() => (told += 1));
    spool.append(Buffer.from('x'));
    spool.end();
    expect(told).toBe(2);
    expect(spool.ended).toBe(true);
    stop();
    expect(spool.append(Buffer.from('y'))).toBeNull();
    expect(spool.length).toBe(1);
  });

  it('keeps what it has readable when the disk fails, takes nothing more, and tells it once', async () => {
    const faults: string[] = [];
    const spool = make({
      file: path.join(folder, 'no', 'such', 'folder'),
      onFault: (error) => faults.push(`${error.code} ${String(error.details['reason'])}`),
    });
    spool.append(pattern(0, 5000));
    await waitFor('the fault', () => faults.length > 0);
    expect(spool.append(pattern(5000, 10))).toBeNull();
    expect((await spool.read(0, 9000)).equals(pattern(0, 5000))).toBe(true);
    expect(faults).toEqual(['STORAGE_ERROR write-failed']);
    await spool.drained();
  });

  it('stops at the disk guard', async () => {
    const faults: string[] = [];
    const spool = make({
      guard: { allows: () => Promise.resolve(false) },
      onFault: (error) => faults.push(String(error.details['reason'])),
    });
    spool.append(pattern(0, 5000));
    await waitFor('the fault', () => faults.length > 0);
    expect(faults).toEqual(['disk-guard']);
    expect(fs.existsSync(file())).toBe(false);
  });

  it('removes its file, and reads reject afterwards', async () => {
    const spool = make();
    spool.append(pattern(0, 50_000));
    await spool.remove();
    expect(fs.readdirSync(folder)).toEqual([]);
    await expect(spool.read(0, 1)).rejects.toMatchObject({ code: 'STORAGE_ERROR' });
  });
});

describe('createDiskGuard', () => {
  const GIB = 1024 ** 3;

  it('leaves 1 GiB or 5 %, whichever is more', async () => {
    const allows = (freeBytes: number, totalBytes: number, bytes: number): Promise<boolean> =>
      createDiskGuard('/', () => Promise.resolve({ freeBytes, totalBytes })).allows(bytes);
    expect(await allows(GIB + 100, 10 * GIB, 100)).toBe(true);
    expect(await allows(GIB + 100, 10 * GIB, 101)).toBe(false);
    expect(await allows(5 * GIB + 100, 100 * GIB, 100)).toBe(true);
    expect(await allows(5 * GIB + 100, 100 * GIB, 101)).toBe(false);
  });

  it('looks again after some megabytes only, and in time when little is left', async () => {
    let looks = 0;
    let freeBytes = 50 * GIB;
    const guard = createDiskGuard('/', () => {
      looks += 1;
      return Promise.resolve({ freeBytes, totalBytes: 100 * GIB });
    });
    for (let count = 0; count < 16; count += 1) expect(await guard.allows(1024 ** 2)).toBe(true);
    expect(looks).toBe(1);
    freeBytes = 5 * GIB + 10;
    for (let count = 0; count < 2; count += 1) await guard.allows(1024 ** 2);
    expect(await guard.allows(1024 ** 2)).toBe(false);
  });

  it('asks the real file system', async () => {
    expect(await createDiskGuard('/proc').allows(1)).toBe(false);
  });
});
