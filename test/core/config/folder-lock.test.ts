// One holder at a time, also among many processes that ask at the same moment and after a kill.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { bundleProgram } from '../../../scripts/build/bundles.mjs';
import { lockHolder, tryLock } from '../../../src-main/core/config/folder-lock.ts';
import { tempFolder } from '../../support/temp.ts';

let program = '';

/** A program that takes the lock when it is told to, says what came of it, and keeps it. */
const SOURCE = `
import { tryLock } from './folder-lock.ts';
process.stdin.once('data', async () => {
  const lock = await tryLock(process.argv[2], 'instance');
  process.stdout.write(lock === undefined ? 'no' : 'yes');
});
process.stdout.write('ready');
`;

beforeAll(async () => {
  const { mkdtemp } = await import('node:fs/promises');
  const { tmpdir } = await import('node:os');
  program = path.join(await mkdtemp(path.join(tmpdir(), 'patchbay-lock-')), 'contender.mjs');
  await bundleProgram({
    stdin: { contents: SOURCE, resolveDir: path.resolve('src-main/core/config'), loader: 'ts' },
    outfile: program,
    banner: '',
  });
});

async function contender(folder: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout ?? child, 'data');
  return child;
}

async function contend(child: ChildProcess): Promise<string> {
  child.stdin?.write('go\n');
  const [answer] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  return answer.toString();
}

it('is held once in one process, and free again after release', async () => {
  const folder = await tempFolder();
  const lock = await tryLock(folder, 'instance');
  expect(lock).toBeDefined();
  expect(await tryLock(folder, 'instance')).toBeUndefined();
  expect(await lockHolder(folder, 'instance')).toBe(process.pid);
  expect(await tryLock(folder, 'another')).toBeDefined();
  await lock?.release();
  expect(await lockHolder(folder, 'instance')).toBeUndefined();
  expect(await tryLock(folder, 'instance')).toBeDefined();
});

it('has no holder in a folder that nobody has used', async () => {
  expect(await lockHolder(path.join(await tempFolder(), 'none'), 'instance')).toBeUndefined();
});

it('goes to exactly one of ten that ask at once, and to exactly one again after that one was killed', async () => {
  const folder = await tempFolder();
  const all = await Promise.all(Array.from({ length: 10 }, () => contender(folder)));
  const answers = await Promise.all(all.map(contend));
  expect(answers.toSorted()).toEqual([...Array<string>(9).fill('no'), 'yes']);
  const winner = all[answers.indexOf('yes')];
  expect(await lockHolder(folder, 'instance')).toBe(winner?.pid);
  winner?.kill('SIGKILL');
  if (winner !== undefined) await once(winner, 'exit');
  expect(await lockHolder(folder, 'instance')).toBeUndefined();

  const next = await Promise.all(Array.from({ length: 10 }, () => contender(folder)));
  expect((await Promise.all(next.map(contend))).toSorted()).toEqual([...Array<string>(9).fill('no'), 'yes']);
  expect(await readdir(path.join(folder, 'locks'))).toEqual(['instance.2']);
});

it('is never held twice by fifty that ask, release and ask again', async () => {
  const folder = await tempFolder();
  let held = 0;
  let most = 0;
  let turns = 0;
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      for (let done = false; !done;) {
        const lock = await tryLock(folder, 'busy');
        if (lock === undefined) continue;
        held += 1;
        most = Math.max(most, held);
        turns += 1;
        await new Promise(setImmediate);
        held -= 1;
        await lock.release();
        done = true;
      }
    }),
  );
  expect({ most, turns }).toEqual({ most: 1, turns: 50 });
});
