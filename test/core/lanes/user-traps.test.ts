// Traps, traces and odd settings of the user: they see the user's text and nothing of our own shell's statements.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeShellFolder, runIn, startLane } from '../../support/lane.ts';
import type { Ran, TestLane } from '../../support/lane.ts';
import { createLocalAccount } from '../../support/local-shell.ts';

const { folder } = makeShellFolder();
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

let test: TestLane;
let end: () => void;
const run = (command: string, more?: Parameters<typeof runIn>[2]): Promise<Ran> => runIn(test.lane, command, more);
afterEach(async () => {
  await test.close();
  end();
});

describe('bash', () => {
  beforeEach(async () => {
    const made = createLocalAccount({ shell: '/bin/bash' });
    end = made.end;
    test = await startLane(made.open);
  });

  it('runs the ERR trap once for each failure of the text, and for nothing else', async () => {
    expect(await run('trap \'echo "E $?"\' ERR; false; true; false')).toMatchObject({
      stdout: 'E 1\nE 1\n',
      stderr: '',
    });
    expect(await run('(exit 4)')).toMatchObject({ stdout: 'E 4\n', stderr: '', exitCode: 4 });
    expect(await run('echo "was $?"')).toMatchObject({ stdout: 'was 4\n', stderr: '' });
    expect(await run('true', { workingDir: '/no/such' })).toMatchObject({ stdout: '', exitCode: 1 });
    expect((await run('trap -p ERR')).stdout).toBe('trap -- \'echo "E $?"\' ERR\n');
    expect((await run('trap - ERR; false')).stdout).toBe('');
    expect((await run('false')).stdout).toBe('');
  });

  it('runs the DEBUG trap for each statement of the text, and for nothing else', async () => {
    await run('trap \'echo "D $BASH_COMMAND"; n=$((n+1))\' DEBUG; n=0');
    expect(await run('n=0; echo a')).toMatchObject({ stdout: 'D n=0\nD echo a\na\n', stderr: '' });
    expect((await run('(exit 3)')).stdout).toBe('');
    expect((await run('echo "$? $n"')).stdout).toBe('D echo "$? $n"\n3 2\n');
    expect((await run('set -T; f() { echo f; }; f')).stdout).toBe('D set -T\nD f\nD f\nD echo f\nf\n');
    expect((await run('trap - DEBUG')).stdout).toBe('D trap - DEBUG\n');
    expect((await run('set +T; echo quiet')).stdout).toBe('quiet\n');
  });

  it('is not skipped by a DEBUG trap under extdebug', async () => {
    await run('shopt -s extdebug; trap \'[[ $BASH_COMMAND != "echo no" ]]\' DEBUG');
    expect((await run('echo yes; echo no; echo also')).stdout).toBe('yes\nalso\n');
    expect((await run('shopt -u extdebug; trap - DEBUG; echo no')).stdout).toBe('no\n');
  });

  it('answers and goes on when a DEBUG trap skips everything', async () => {
    await run('cd /usr; export PB_KEPT=1');
    expect((await run('shopt -s extdebug; trap false DEBUG')).status).toBe('exited');
    expect((await run('trap - DEBUG; echo "$PB_KEPT"')).status).toBe('exited');
    expect(test.lane.workingDir).toBe('/usr');
  });

  it('traces the text alone, whatever PS4 runs and wherever the trace goes', async () => {
    await run("n=0; PS4='$((n+=1))+ '; set -x");
    expect((await run('echo one; echo two')).stderr).toMatch(/^\d+\+ echo one\n\d+\+ echo two\n$/);
    expect(await run('(exit 3)')).toMatchObject({ stdout: '', exitCode: 3 });
    expect((await run('echo $?')).stdout).toBe('3\n');
    await run('set +x');
    const trace = path.join(folder, 'trace');
    await run(`exec 9>${trace}; BASH_XTRACEFD=9; PS4='+ '`);
    await run('set -x');
    expect(await run('echo one')).toMatchObject({ stdout: 'one\n', stderr: '' });
    await run('set +x');
    expect(fs.readFileSync(trace, 'utf8')).toMatch(/^\++ echo one$/m);
  });

  it('shows lines read under set -v, and none of ours', async () => {
    await run('set -v');
    expect((await run('echo one; for i in 1; do break 9; done')).stderr).not.toContain('__pb_');
    expect((await run('echo two')).stdout).toBe('two\n');
    expect((await run('set +v; echo three')).stdout).toBe('three\n');
    expect((await run('echo four')).stderr).toBe('');
  });

  it('keeps descriptors 10 and up of the user', async () => {
    await run('exec 10>descriptor-ten; echo one >&10');
    await run('echo two >&10; exec 10>&-');
    expect((await run('cat descriptor-ten; rm descriptor-ten')).stdout).toBe('one\ntwo\n');
    const open = (await run('ls /proc/self/fd')).stdout.trim().split('\n').map(Number);
    expect(open.filter((fd) => (fd > 9 && fd < 100) || (fd > 239 && fd < 250))).toEqual([]);
  });
});
