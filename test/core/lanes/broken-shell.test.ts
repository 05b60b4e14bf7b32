// Commands that break what our own shell needs: its stdin is never run as commands, and another shell takes its place.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { driverHosts, makeShellFolder, runIn, startLane } from '../../support/lane.ts';
import type { Ran, TestLane } from '../../support/lane.ts';
import { createLocalAccount } from '../../support/local-shell.ts';

const { folder } = makeShellFolder();
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const HOSTS = driverHosts(folder);

const marker = path.join(folder, 'was-run');
/** Whatever part of it is read as requests of either driver, some of it creates the marker. */
const evil = Buffer.from(`1 0 - x\ntouch ${marker}\n\0\0touch ${marker}\0`.repeat(3000));

const BREAKERS: readonly { command: string; only?: string }[] = [
  ...['printf', 'read', 'declare', 'unset', 'exit', 'eval', 'builtin', 'trap', 'set', 'shopt', 'cd', 'jobs'].map(
    (word) => ({
      command: `enable -n ${word}`,
      only: 'bash',
    }),
  ),
  ...[
    'printf',
    'read',
    'eval',
    'builtin',
    'command',
    'exec',
    'trap',
    'return',
    'local',
    'unset',
    'set',
    'cd',
    'export',
  ].flatMap((word) => [
    { command: `${word}() { :; }`, ...(word === 'builtin' ? { only: 'bash' } : {}) },
    { command: `${word}() { return 1; }`, ...(word === 'builtin' ? { only: 'bash' } : {}) },
    { command: `alias ${word}=false; for i in 1; do break 9; done` },
  ]),
  ...['i', 'd', 'c', 's', 'n', 'k', 'f', 'on', 'x', 'p', 'in', 'L'].flatMap((name) => [
    { command: `readonly __pb_${name}` },
    { command: `declare -u __pb_${name}`, only: 'bash' },
    { command: `declare -i __pb_${name}`, only: 'bash' },
  ]),
  ...['end', 'env', 'q', 'cd', 'exit'].map((name) => ({ command: `unset -f __pb_${name}` })),
  { command: 'readonly IFS' },
  { command: 'IFS=0123456789abcdef' },
  { command: 'readonly TMOUT=100' },
  { command: 'set -o posix', only: 'bash' },
  { command: "set -o posix; echo 'oops", only: 'bash' },
  { command: 'shopt -s nocasematch; set -E', only: 'bash' },
  { command: 'shopt -u expand_aliases; for i in 1; do break 9; done', only: 'bash' },
  { command: 'shopt -s failglob nullglob', only: 'bash' },
  { command: 'set -f; set -C; set -a; set -u; set -m' },
  { command: 'export LC_ALL=C' },
  { command: 'ulimit -f 0' },
  { command: "trap '' INT TERM HUP EXIT" },
  { command: 'trap - INT TERM EXIT' },
  { command: 'exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-' },
  { command: 'exec 6</etc/passwd 7>/dev/null 8>/dev/null' },
  { command: 'for fd in {3..255}; do eval "exec $fd>&-"; done', only: 'bash' },
  { command: 'exec 241</etc/passwd 242>/dev/null 243>/dev/null 244>/dev/null', only: 'bash' },
  { command: 'for fd in {245..250}; do eval "exec $fd>/dev/null"; done', only: 'bash' },
  { command: 'for fd in {245..250}; do eval "exec $fd</etc/passwd"; done', only: 'bash' },
  { command: 'hash -r; PATH=' },
  { command: 'd=$(mktemp -d); cd "$d"; rmdir "$d"; cd /usr' },
  { command: 'set -t', only: 'bash' },
  { command: 'break 9; continue 9; return 3' },
];

describe.each(HOSTS)('driver for $name', ({ name, account }) => {
  let test: TestLane;
  let end: () => void;
  const run = (command: string, more?: Parameters<typeof runIn>[2]): Promise<Ran> => runIn(test.lane, command, more);

  beforeEach(async () => {
    const made = createLocalAccount(account);
    end = made.end;
    test = await startLane(made.open);
  });
  afterEach(async () => {
    await test.close();
    end();
    fs.rmSync(marker, { force: true });
  });

  it('takes stdin whatever PATH is, and leaves no file of it', async () => {
    await run('PATH=/nonexistent');
    const ran = await run('read -r line; echo "got $line"; echo "$$"', { stdin: Buffer.from('one\ntwo\n') });
    expect(ran).toMatchObject({ status: 'exited', exitCode: 0, stderr: '', shellRestarted: false });
    const [got, pid] = ran.stdout.split('\n');
    expect(got).toBe('got one');
    const left = ['/dev/shm', '/tmp'].flatMap((where) => fs.readdirSync(where));
    expect(left.filter((file) => file.startsWith(`.patchbay-${pid}-`))).toEqual([]);
    expect((await run('echo after')).stdout).toBe('after\n');
  });

  it('ends the shell when stdin was taken in part, and runs none of it', async () => {
    await run('cd /usr; export PB_KEPT=1; ulimit -f 1');
    const ran = await run('echo never', { stdin: evil });
    expect(ran).toMatchObject({ exitCode: 1, stdout: '', shellRestarted: true, workingDir: '/usr' });
    expect(ran.notices.join()).toContain('The command was not run: its stdin could not be stored');
    expect((await run('echo "after $PB_KEPT"; pwd')).stdout).toBe('after 1\n/usr\n');
    expect(fs.existsSync(marker)).toBe(false);
  });

  // With 5 descriptors BusyBox ash loops within itself, before any statement of ours.
  const commands = name === 'BusyBox ash' ? ['set -n', 'ulimit -n 12'] : ['set -n', 'ulimit -n 12', 'ulimit -n 5'];
  it.each(name === 'bash' ? [...commands, 'ulimit -n 200'] : commands)('goes on after %s', async (command) => {
    await run('cd /usr; export PB_KEPT=1');
    const ran = await run(command);
    expect(ran.status).toBe('exited');
    expect(ran.stderr.length).toBeLessThan(2000);
    if (command === 'set -n' || name === 'bash') expect(ran).toMatchObject({ exitCode: 0, shellRestarted: true });
    expect((await run('echo "after $PB_KEPT"; pwd')).stdout).toBe('after 1\n/usr\n');
  });

  it.each(['HUP', 'SEGV', 'KILL', 'TERM', 'PIPE', 'ABRT'])(
    'adds no word to the output when %s ends the shell',
    async (signal) => {
      const ran = await run(`trap - TERM; cd /usr; echo out; echo err >&2; kill -${signal} $$; sleep 1`);
      expect(ran).toMatchObject({ status: 'exited', stdout: 'out\n', stderr: 'err\n', shellRestarted: true, signal });
      expect((await run('echo after')).stdout).toBe('after\n');
    },
  );

  it('sets no trap on TERM, which a background job would have for a moment, too', async () => {
    // bash loses a signal that comes in the moment between a job's fork and its program where a trap on EXIT is set
    // (seen with plain bash 5.2, too); a trap on TERM of ours would make that moment longer.
    expect((await run('trap')).stdout).not.toContain('TERM');
    expect(await run('sleep 300 & sleep 0.2; kill $!; wait $!; echo $?')).toMatchObject({ stdout: '143\n' });
  });

  it('notices a shell that was stopped, and replaces it', async () => {
    await run('cd /usr; export PB_KEPT=1');
    const ran = await run('echo out; kill -STOP $$; echo never');
    expect(ran).toMatchObject({ status: 'exited', exitCode: 137, stdout: 'out\n', shellRestarted: true });
    expect(ran.notices.join()).toContain('SIGSTOP');
    expect((await run('echo "after $PB_KEPT"; pwd')).stdout).toBe('after 1\n/usr\n');
  });

  it("gives the shell's own reason when workingDir cannot be entered, and nothing of ours", async () => {
    const ran = await run('echo ran', { workingDir: '/no/such/folder' });
    expect(ran).toMatchObject({ status: 'exited', exitCode: 1, stdout: '', shellRestarted: false });
    expect(ran.stderr).toMatch(/^cd: .*\/no\/such\/folder.*\n$/);
    expect(ran.stderr).not.toMatch(/line|__pb|environment/);
  });

  // What a person may do, by mistake or not: it works, or the shell is replaced and says so.
  it.each(BREAKERS.filter(({ only }) => only === undefined || only === name))(
    'survives $command',
    async ({ command }) => {
      await run('cd /usr; export PB_KEPT=1');
      const ran = await run(command);
      expect(['exited', 'lost']).toContain(ran.status);
      const next = await run('echo "after $PB_KEPT"; pwd');
      expect(next.status).toBe('exited');
      const last = await run('echo "after $PB_KEPT"; pwd');
      expect(last).toMatchObject({ status: 'exited', exitCode: 0, stdout: 'after 1\n/usr\n' });
    },
  );
});

it('ends a bash when no head can be run, and runs none of its stdin', async () => {
  const made = createLocalAccount({ shell: '/bin/bash' });
  const test = await startLane(made.open);
  try {
    // Only a function can stand in for a host without the program.
    await runIn(test.lane, 'command() { return 127; }');
    const ran = await runIn(test.lane, 'echo never', { stdin: evil });
    expect(ran).toMatchObject({ exitCode: 1, stdout: '', shellRestarted: true });
    expect(ran.notices.join()).toContain('The command was not run: its stdin could not be stored');
    expect((await runIn(test.lane, 'echo after')).stdout).toBe('after\n');
    expect(fs.existsSync(marker)).toBe(false);
  } finally {
    await test.close();
    made.end();
  }
});
