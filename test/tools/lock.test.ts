// Tests the lock that keeps two installs or builds from running at once.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withLock } from '../../scripts/setup/lock.mjs';

describe('withLock', () => {
  let folder = '';
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'patchbay-lock-'));
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  it('lets only one of several at a time do its work', async () => {
    let inside = 0;
    let most = 0;
    const work = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((done) => setImmediate(done));
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 5 }, () => withLock('one', work, folder)));
    expect(most).toBe(1);
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it('takes over the lock of a process that has died', async () => {
    const child = spawn(process.execPath, ['-e', '0']);
    await once(child, 'close');
    fs.writeFileSync(path.join(folder, 'one.lock'), JSON.stringify({ pid: child.pid, host: os.hostname(), id: 'x' }));
    await expect(withLock('one', () => 'done', folder)).resolves.toBe('done');
  });

  it('gives the lock back when the work fails', async () => {
    const failing = withLock('one', () => Promise.reject(new Error('broken')), folder);
    await expect(failing).rejects.toThrow('broken');
    expect(fs.readdirSync(folder)).toEqual([]);
  });
});
