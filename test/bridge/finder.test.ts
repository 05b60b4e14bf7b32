// How the finder deals with programs that refuse, crash or give way; the programs are small ones of the test.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { AppFinder } from '../../src-main/bridge/finder.ts';
import { isRunning, waitFor } from '../support/processes.ts';
import { tempFolder } from '../support/temp.ts';

/** A finder whose headless program is this script; it notes each start in `starts`. */
async function finderFor(script: string) {
  const folder = await tempFolder();
  const starts = path.join(folder, 'starts');
  const note = `require('node:fs').appendFileSync(${JSON.stringify(starts)}, process.pid + '\\n');`;
  await writeFile(path.join(folder, 'package.json'), '{"type":"commonjs"}');
  await writeFile(path.join(folder, 'headless.js'), `${note}\n${script}`);
  const pids = async (): Promise<number[]> => (await readFile(starts, 'utf8')).trim().split('\n').map(Number);
  onTestFinished(async () => {
    for (const pid of await pids()) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  });
  const finder = new AppFinder(
    {
      execPath: process.execPath,
      isElectron: false,
      outDir: folder,
      environment: { PATCHBAY_DATA_DIR: path.join(folder, 'data'), PATH: process.env['PATH'] },
      platform: 'linux',
      isRoot: false,
    },
    Date.now(),
  );
  return { finder, pids, folder };
}

it('starts anew after a program that refused has ended, and not while it still shows its line', async () => {
  const { finder, pids } = await finderFor(`
    process.stderr.write('patchbay: WEB_PORT is wrong\\n');
    process.on('SIGTERM', () => process.exit(2));
    setInterval(() => undefined, 1000);`);
  const refusal = {
    code: 'APP_UNAVAILABLE',
    message: 'Patchbay does not start: WEB_PORT is wrong',
    hint: 'Ask the person to correct this setting, then call again.',
  };
  expect(await finder.reach()).toEqual({ refusal });
  expect(await finder.reach()).toEqual({ refusal });
  expect(await pids()).toHaveLength(1);
  const [first = 0] = await pids();
  process.kill(first, 'SIGTERM');
  await waitFor('the program to end', () => !isRunning(first));
  // The end of a child is told a moment after it has happened.
  await waitFor('a new start', async () => {
    expect(await finder.reach()).toEqual({ refusal });
    return (await pids()).length === 2;
  });
});

it('says how a program ended that cannot run, with its last words', async () => {
  const { finder } = await finderFor(
    `process.stderr.write('first\\nlibwindow.so: not found\\n\\n'); process.exit(127);`,
  );
  expect(await finder.reach()).toEqual({
    refusal: {
      code: 'APP_UNAVAILABLE',
      message: 'Patchbay could not be started: it ended with code 127: libwindow.so: not found',
    },
  });
});

it('tries each call anew after a crash at the start', async () => {
  const { finder, pids } = await finderFor(`process.kill(process.pid, 'SIGKILL');`);
  for (const count of [1, 2]) {
    expect(await finder.reach()).toMatchObject({
      refusal: { message: 'Patchbay could not be started: it ended with SIGKILL' },
    });
    expect(await pids()).toHaveLength(count);
  }
});
