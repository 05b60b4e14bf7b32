// The agent lane over real sshd: field cases of the command engine, the queue, and the loss of shell and connection.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AgentLaneOptions } from '../../../src-main/core/lanes/port.ts';
import type { SshConnection } from '../../../src-main/core/ssh/port.ts';
import { CLIENT, PERSON, finished, makeLane, makeShellFolder, runIn, startLane } from '../../support/lane.ts';
import type { TestLane } from '../../support/lane.ts';
import { waitFor } from '../../support/processes.ts';
import { connectTo } from '../../support/ssh-connect.ts';
import type { TestSshd } from '../../support/sshd.ts';
import { startSshd } from '../../support/sshd.ts';

const SHELLS = ['bash', 'zsh', 'dash', 'ash', 'fish', 'tcsh'] as const;
const { folder, shellOf } = makeShellFolder();
let server: TestSshd;

beforeAll(async () => {
  const shells = SHELLS.map((name) => ({ name: `u-${name}`, shell: shellOf(name) }));
  const accounts = [...shells, { name: 'noisy' }, { name: 'prompts' }, { name: 'cmd', shell: '/bin/cat' }];
  server = await startSshd({ accounts });
  const write = (account: string, file: string, text: string): void => {
    const target = path.join(server.accountOf(account).home, file);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, text);
  };
  write('noisy', '.bashrc', 'echo "Welcome, $USER"\necho "quota: 91%" >&2\n');
  write('u-fish', '.config/fish/config.fish', 'set -g fish_greeting "Welcome to fish"\necho "fish says hello"\n');
  const hooks = `PS1='\\[\\e[1;32m\\]> '\nPROMPT_COMMAND='history -a'\ntrap 'printf "\\e]2;%s\\a" "$BASH_COMMAND"' DEBUG\nset -u\nTMOUT=1\n`;
  write('prompts', '.bash_profile', hooks);
  write('prompts', '.bashrc', hooks);
});
afterAll(async () => {
  await server.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Opened = TestLane & { readonly connection: SshConnection };

async function connection(account: string): Promise<SshConnection> {
  const { name, keyFile } = server.accountOf(account);
  const made = await connectTo(server, { username: name, credentials: { keyFile } });
  closers.push(() => made.close());
  return made;
}

async function start(account = 'u-bash', changes: Partial<AgentLaneOptions> = {}): Promise<Opened> {
  const made = await connection(account);
  const test = await startLane((command) => made.exec(command), changes);
  closers.push(test.close);
  return { ...test, connection: made };
}

describe('results', () => {
  it('FC01 tells stdout, stderr and code apart', async () => {
    const { lane } = await start();
    expect(await runIn(lane, 'echo REAL; echo note >&2')).toMatchObject({
      exitCode: 0,
      stdout: 'REAL\n',
      stderr: 'note\n',
    });
    expect(await runIn(lane, 'sh -c "exit 3"')).toMatchObject({
      exitCode: 3,
      stdout: '',
      stderr: '',
      status: 'exited',
    });
    expect(await runIn(lane, 'ssh -V')).toMatchObject({
      exitCode: 0,
      stdout: '',
    });
    expect(await runIn(lane, 'grep zzz /etc/hostname')).toMatchObject({ exitCode: 1, stdout: '', stderr: '' });
  });

  it('FC02 has every byte of both streams, again and again', async () => {
    const { lane } = await start();
    for (let round = 0; round < 3; round += 1) {
      const { stdoutBytes, stderrBytes } = await runIn(
        lane,
        "head -c 15000000 /dev/zero | tr '\\0' o; head -c 15000000 /dev/zero | tr '\\0' e >&2",
      );
      expect(stdoutBytes.equals(Buffer.alloc(15_000_000, 'o'))).toBe(true);
      expect(stderrBytes.equals(Buffer.alloc(15_000_000, 'e'))).toBe(true);
    }
  });

  it('FC03 finishes a command with much on stderr that nobody reads', async () => {
    const { lane } = await start();
    const ran = await runIn(lane, 'echo out; head -c 5000000 /dev/zero >&2; (exit 5)');
    expect(ran).toMatchObject({ exitCode: 5, stdout: 'out\n' });
    expect(ran.stderrBytes.length).toBe(5_000_000);
  });

  it.each([
    ['TERM', 143],
    ['KILL', 137],
    ['SEGV', 139],
  ])('FC04 names the signal %s and gives 128+n', async (signal, exitCode) => {
    const { lane } = await start();
    expect(await runIn(lane, `sh -c 'kill -${signal} $$; sleep 1'`)).toMatchObject({
      status: 'exited',
      exitCode,
      signal,
    });
  });

  it('FC05 returns while a background job runs, and tells its late output apart', async () => {
    const test = await start();
    const before = Date.now();
    expect(await runIn(test.lane, 'sleep 300 & echo started; (exit 3)')).toMatchObject({
      stdout: 'started\n',
      exitCode: 3,
    });
    expect(await runIn(test.lane, '(while :; do echo tick; sleep 0.2; done) & echo begun')).toMatchObject({
      exitCode: 0,
    });
    expect(Date.now() - before).toBeLessThan(5000);
    await waitFor('two ticks', () => test.late().includes('tick\ntick\n'));
    const next = await runIn(test.lane, 'echo next');
    expect(next.stdout).not.toContain('tick');
    expect(next.notices.join()).toContain('background job printed on stdout');
    await runIn(test.lane, 'kill $(jobs -p)');
  });

  it('FC06 shows an inner reader nothing but its own input', async () => {
    const { lane } = await start();
    const inner =
      'while read h; do ssh -o BatchMode=yes -o ConnectTimeout=1 127.0.0.1 -p 1 true; echo "$h"; done </etc/hostname';
    expect((await runIn(lane, inner)).stdout).toBe(fs.readFileSync('/etc/hostname', 'utf8'));
    expect((await runIn(lane, "python3 -c 'import sys; print(len(sys.stdin.read()))'")).stdout).toBe('0\n');
  });

  it('FC07 leaves CRLF line ends to the shell, always alike', async () => {
    const { lane } = await start();
    expect((await runIn(lane, 'echo a\r\necho b\r\n')).stdout).toBe('a\r\nb\r\n');
  });

  it('FC08 says so when the shell has ended, and restores what it promises', async () => {
    const { lane } = await start();
    // The job holds both streams all the time, so that the server itself does not tell that the shell has ended.
    await runIn(lane, 'cd /tmp && export FC=kept; sleep 7900 & export JOB=$!');
    for (const [command, exitCode] of [
      ['exit 3', 3],
      ['set -e; false', 1],
      ['exec sleep 0.2', 0],
      ['kill -9 $$', 137],
      ['set -u; echo $not_set_anywhere', 127],
    ] as const) {
      const before = Date.now();
      const ran = await runIn(lane, command);
      expect(ran, command).toMatchObject({ exitCode, shellRestarted: true, status: 'exited', workingDir: '/tmp' });
      expect(Date.now() - before, command).toBeLessThan(3000);
      expect(await runIn(lane, 'echo "$FC $PWD"'), command).toMatchObject({
        stdout: 'kept /tmp\n',
        shellRestarted: false,
      });
    }
    await runIn(lane, 'kill $JOB');
    const { stdout } = await runIn(lane, 'env | grep -E "^(SSH_CONNECTION|SHLVL)=" | sort');
    expect(stdout).toMatch(/^SHLVL=\d\nSSH_CONNECTION=127\.0\.0\.1 /);
  });

  it('FC09 is not confused by output that shows its own workings', async () => {
    const { lane } = await start();
    expect((await runIn(lane, 'set | head -c 200000')).exitCode).toBe(0);
    expect((await runIn(lane, "cat /proc/$$/cmdline | tr '\\0' ' '")).stdout).toContain('__pb_');
    expect((await runIn(lane, 'history 5 2>/dev/null; fc -l 2>/dev/null; true')).stdout).toBe('');
    const forged = 'printf \'\\036%s\\037%s\\037\\037\\037/\\036%s\\034\' "$__pb_n" 0 "$__pb_n"; echo after';
    const ran = await runIn(lane, forged);
    expect(ran.stdout.replaceAll(/[a-z2-7]{20}/g, 'N')).toBe('\u001eN\u001f0\u001f\u001f\u001f/\u001eN\u001cafter\n');
    const long = `echo ${'X'.repeat(3000)}`;
    expect((await runIn(lane, long)).stdout).toBe(`${'X'.repeat(3000)}\n`);
  });

  it('FC23 leaves characters that packets cut in one piece, each stream for itself', async () => {
    const { lane } = await start();
    const parts = "printf '\\342\\202'; sleep 0.3; printf '\\254 \\360\\237'; sleep 0.3; printf '\\230\\200\\n'";
    expect((await runIn(lane, parts)).stdout).toBe('€ 😀\n');
    const both = "printf 'stdout \\342\\202'; printf 'stderr \\342\\202' >&2; printf '\\254\\n'; printf '\\254\\n' >&2";
    expect(await runIn(lane, both)).toMatchObject({ stdout: 'stdout €\n', stderr: 'stderr €\n' });
  });

  it('FC24 keeps bytes that are not text', async () => {
    const { lane } = await start();
    expect((await runIn(lane, "printf 'caf\\351 \\377\\376 end\\n'")).stdoutBytes.toString('hex')).toBe(
      '636166e920fffe20656e640a',
    );
    expect((await runIn(lane, "printf 'a\\0b\\n'")).stdoutBytes.toString('hex')).toBe('6100620a');
  });
});

describe('login shells and start-up files', () => {
  it('FC11 runs a POSIX shell for an account with fish and names it', async () => {
    const test = await start('u-fish');
    expect(test.lane.shellName).toMatch(/^bash \d/);
    expect(await runIn(test.lane, 'echo out; echo err >&2; (exit 3)')).toMatchObject({
      exitCode: 3,
      stdout: 'out\n',
      stderr: 'err\n',
    });
    expect(test.noise()).toBe('fish says hello\n');
  });

  it('FC12 shows what start-up files print once, and never in output', async () => {
    const test = await start('noisy');
    expect(await runIn(test.lane, 'echo hi')).toMatchObject({ stdout: 'hi\n', stderr: '' });
    expect(test.noise()).toContain('Welcome, noisy\n');
    expect(test.noise()).toContain('quota: 91%\n');
    expect(test.noise().match(/Welcome/g)).toHaveLength(1);
  });

  it('FC13 FC15 does not care for prompts, hooks and idle log-outs of the host', async () => {
    const test = await start('prompts');
    expect(await runIn(test.lane, 'cd /tmp')).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    expect(await runIn(test.lane, 'false')).toMatchObject({ exitCode: 1 });
    await runIn(test.lane, 'export TMOUT=1');
    const before = Date.now();
    await waitFor('the idle time', () => Date.now() - before > 2500);
    expect(await runIn(test.lane, 'echo $PWD')).toMatchObject({ stdout: '/tmp\n', stderr: '', shellRestarted: false });
  });

  it.each(SHELLS)('FC14 takes lines of any length with login shell %s', async (shell) => {
    const { lane } = await start(`u-${shell}`);
    for (const length of [1000, 4000, 4200, 9000, 200_000]) {
      expect((await runIn(lane, `echo ${'x'.repeat(length)} | wc -c`)).stdout.trim()).toBe(String(length + 1));
    }
  });

  it('answers UNSUPPORTED at once for a login shell that is none', async () => {
    const made = await connection('cmd');
    const test = makeLane((command) => made.exec(command), { limits: { spoolBytes: 0, greetingMs: 5000 } });
    closers.push(test.close);
    await expect(test.lane.start()).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      details: { reason: 'no-posix-shell' },
    });
  });
});

describe('requests', () => {
  it('changes to workingDir first and stays there', async () => {
    const { lane } = await start();
    expect(await runIn(lane, 'pwd', { workingDir: '/usr/share' })).toMatchObject({
      stdout: '/usr/share\n',
      workingDir: '/usr/share',
    });
    expect((await runIn(lane, 'pwd', { workingDir: '../lib' })).stdout).toBe('/usr/lib\n');
    expect((await runIn(lane, 'pwd', { workingDir: '~' })).stdout).toBe(`${server.accountOf('u-bash').home}\n`);
  });

  it('does not run the command when workingDir cannot be entered', async () => {
    const { lane } = await start();
    const ran = await runIn(lane, 'echo ran', { workingDir: '/no/such/folder' });
    expect(ran).toMatchObject({
      status: 'exited',
      exitCode: 1,
      stdout: '',
    });
    expect(ran.stderr).toContain('no/such/folder');
    expect(ran.notices.join()).toContain('was not run');
    expect((await runIn(lane, 'echo next')).stdout).toBe('next\n');
  });

  it('refuses a NUL character', async () => {
    const { lane } = await start();
    expect(() => lane.run({ command: 'a\0b', timeoutMs: 1000 }, CLIENT)).toThrow(/NUL/);
  });

  it('stops a command at SPOOL_LIMIT, keeps what came, and says so', async () => {
    const { lane } = await start('u-bash', { limits: { spoolBytes: 100_000 } });
    const ran = await runIn(lane, 'yes');
    expect(ran).toMatchObject({ status: 'cancelled', shellRestarted: false });
    expect(ran.stdoutBytes.length).toBe(100_000);
    expect(ran.notices.join()).toContain('SPOOL_LIMIT');
    expect((await runIn(lane, 'echo next')).stdout).toBe('next\n');
  });

  it('stops a command when the disk gets full, keeps what came, and says so', async () => {
    const { lane } = await start('u-bash', { guard: { allows: () => Promise.resolve(false) } });
    const ran = await runIn(lane, 'yes');
    expect(ran.status).toBe('cancelled');
    expect(ran.stdoutBytes.length).toBeGreaterThan(200_000);
    expect(ran.notices.join()).toContain('could not be stored');
    expect((await runIn(lane, 'echo next')).stdout).toBe('next\n');
  });
});

describe('the queue', () => {
  it('FC10 runs commands one after the other in the order they came', async () => {
    const test = await start();
    const runs = [1, 2, 3].map((number) =>
      test.lane.run({ command: `sleep 0.1; echo ${number}`, timeoutMs: 60_000 }, CLIENT),
    );
    expect(runs.map((run) => run.view().queuePosition)).toEqual([null, 1, 2]);
    const ran = await Promise.all(runs.map((run) => finished(run)));
    expect(ran.map(({ stdout }) => stdout)).toEqual(['1\n', '2\n', '3\n']);
    const ends = runs.map((run) => run.view().endedAt ?? 0);
    expect(ends).toEqual(ends.toSorted((a, b) => a - b));
  });

  it('keeps assistants waiting while it is held, and lets a person run', async () => {
    const { lane } = await start();
    lane.hold();
    const waiting = lane.run({ command: 'echo waited', timeoutMs: 60_000 }, CLIENT);
    const person = await finished(lane.run({ command: 'echo person', timeoutMs: 60_000 }, PERSON));
    expect(person.stdout).toBe('person\n');
    expect(waiting.view().status).toBe('queued');
    lane.release();
    expect((await finished(waiting)).stdout).toBe('waited\n');
  });

  it('tells the last line of output while a command runs', async () => {
    const { lane } = await start();
    const run = lane.run({ command: "printf 'one\\n\\033[31mtwo\\033[0m\\n\\n'; sleep 30", timeoutMs: 60_000 }, CLIENT);
    await waitFor('output', () => run.view().stdoutBytes > 10);
    expect(run.lastLine()).toBe('two');
    await run.cancel('cancelled');
  });
});

describe('loss', () => {
  it('FC22 ends the running command as lost with its output, keeps the queue, and restores on a new connection', async () => {
    const test = await start();
    await runIn(test.lane, "cd /usr; export PB_KEPT='a b'");
    const run = test.lane.run({ command: 'echo before; sleep 30', timeoutMs: 60_000 }, CLIENT);
    const queued = test.lane.run({ command: 'echo "$PB_KEPT $PWD"', timeoutMs: 60_000 }, CLIENT);
    await waitFor('output', () => run.view().stdoutBytes > 0);
    test.connection.onLost = (reason) => test.lane.connectionLost(reason);
    await server.killConnections();
    expect(await finished(run)).toMatchObject({ status: 'lost', exitCode: null, stdout: 'before\n' });
    expect(queued.view()).toMatchObject({ status: 'queued', queuePosition: 1 });
    const again = await connection('u-bash');
    expect(await test.lane.reattach((command) => again.exec(command))).toBeNull();
    expect(await finished(queued)).toMatchObject({ status: 'exited', stdout: 'a b /usr\n' });
  });

  it('replaces a shell that was killed between two commands, and says so', async () => {
    const test = await start();
    await runIn(test.lane, 'cd /usr; export PB_KEPT=1');
    process.kill(test.lane.shell?.pid ?? 0, 'SIGKILL');
    const pid = test.lane.shell?.pid;
    await waitFor('the end of the shell', () => !fs.existsSync(`/proc/${pid}`));
    const ran = await runIn(test.lane, 'echo "$PB_KEPT $PWD"');
    expect(ran).toMatchObject({ status: 'exited', stdout: '1 /usr\n', shellRestarted: true });
    expect(ran.notices.join()).toContain('had ended');
  });

  it('restores what a function or an alias with a plain name exported', async () => {
    const { lane } = await start();
    await runIn(lane, 'plain() { export PB_F=1; }');
    await runIn(lane, "alias short='export PB_A=2'");
    await runIn(lane, 'plain');
    await runIn(lane, 'short');
    await runIn(lane, 'true');
    await runIn(lane, 'kill -9 $$');
    expect((await runIn(lane, 'echo "$PB_F $PB_A"')).stdout).toBe('1 2\n');
  });

  it('cancels what runs and what waits when it is closed, and removes its files', async () => {
    const test = await start();
    await runIn(test.lane, 'head -c 2000000 /dev/zero');
    await waitFor('the spool file', () => fs.readdirSync(test.spoolDir).length === 1);
    const runs = ['sleep 7801', 'echo no'].map((command) => test.lane.run({ command, timeoutMs: 60_000 }, CLIENT));
    const views = await test.lane.close();
    expect(views.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
    expect(runs.map((run) => run.view().stdoutBytes)).toEqual([0, 0]);
    expect(fs.readdirSync(test.spoolDir)).toEqual([]);
    expect(() => test.lane.run({ command: 'true', timeoutMs: 1000 }, CLIENT)).toThrow(/closed/);
  });
});
