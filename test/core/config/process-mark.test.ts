// Telling a process from a later one with the same id, and files that are written whole or not at all.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { lockHolder, tryLock } from '../../../src-main/core/config/folder-lock.ts';
import { isSameProcess, markOfProcess } from '../../../src-main/core/config/process-mark.ts';
import { quitAt } from '../../../src-main/core/config/quit-marker.ts';
import { readRunFile } from '../../../src-main/core/config/run-file.ts';
import { writePrivate } from '../../../src-main/core/config/write-private.ts';
import { waitFor } from '../../support/processes.ts';
import { tempFolder } from '../../support/temp.ts';

it('knows a running process by its mark, and no other one', async () => {
  const mark = await markOfProcess(process.pid);
  expect(mark).not.toBe('');
  expect(await isSameProcess(process.pid, mark)).toBe(true);
  expect(await isSameProcess(process.pid, `${mark}0`)).toBe(false);
  expect(await isSameProcess(process.ppid, mark)).toBe(false);
});

it('knows that a process has ended, also while it waits for a parent that never looks', async () => {
  // The shell becomes a program that knows nothing of the child it had.
  const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(line.toString());
  const mark = await markOfProcess(pid);
  expect(await isSameProcess(pid, mark)).toBe(true);
  await waitFor('the child to be a zombie', async () => (await readFile(`/proc/${pid}/stat`, 'utf8')).includes(') Z '));
  expect(await isSameProcess(pid, mark)).toBe(false);
});

it('takes a lock whose file holds something else for free', async () => {
  const folder = await tempFolder();
  await mkdir(path.join(folder, 'locks'));
  for (const [number, text] of ['', 'null', '{"pid":"1"}', '{"pid":1,"mark":"another boot/1"}'].entries()) {
    await writeFile(path.join(folder, 'locks', `instance.${number + 1}`), text);
    expect(await lockHolder(folder, 'instance')).toBeUndefined();
  }
  expect(await tryLock(folder, 'instance')).toBeDefined();
  expect(await lockHolder(folder, 'instance')).toBe(process.pid);
});

it('leaves nothing behind where a file cannot be written', async () => {
  const folder = await tempFolder();
  await mkdir(path.join(folder, 'taken'));
  await expect(writePrivate(path.join(folder, 'taken'), 'x')).rejects.toThrow('EISDIR');
  expect(await readdir(folder)).toEqual(['taken']);
});

it('passes on faults other than a missing file', async () => {
  const folder = await tempFolder();
  for (const name of ['run.json', 'quit']) await mkdir(path.join(folder, name));
  await expect(readRunFile(folder)).rejects.toThrow('EISDIR');
  await expect(quitAt(folder)).rejects.toThrow('EISDIR');
});
