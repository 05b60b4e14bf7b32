// The 25 behaviours of the command engine, over real sshd, for every login shell and for hosts without bash.
import fs from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SshConnection } from '../../../src-main/core/ssh/port.ts';
import { makeShellFolder, runIn, startLane } from '../../support/lane.ts';
import type { Ran, TestLane } from '../../support/lane.ts';
import { connectTo } from '../../support/ssh-connect.ts';
import type { TestSshd } from '../../support/sshd.ts';
import { startSshd } from '../../support/sshd.ts';

const HOSTS = [
  { account: 'u-bash', shell: 'bash', kind: 'bash', group: 'bash' },
  { account: 'u-zsh', shell: 'zsh', kind: 'bash', group: 'bash' },
  { account: 'u-dash', shell: 'dash', kind: 'bash', group: 'bash' },
  { account: 'u-ash', shell: 'ash', kind: 'bash', group: 'bash' },
  { account: 'u-fish', shell: 'fish', kind: 'bash', group: 'bash' },
  { account: 'u-tcsh', shell: 'tcsh', kind: 'bash', group: 'bash' },
  { account: 'n-dash', shell: 'dash', kind: 'sh', group: 'dash' },
  { account: 'n-ash', shell: 'ash', kind: 'sh', group: 'ash' },
] as const;

const { folder, shellOf } = makeShellFolder();
const servers = new Map<string, TestSshd>();

/** One server for the accounts of hosts with bash; one each for hosts whose PATH holds a few programs and no bash. */
async function start(group: string, config: readonly string[]): Promise<void> {
  const accounts = HOSTS.filter((host) => host.group === group);
  const requests = accounts.map(({ account, shell }) => ({ name: account, shell: shellOf(shell) }));
  servers.set(group, await startSshd({ accounts: requests, config: ['MaxSessions 20', ...config] }));
}

function serverOf(group: string): TestSshd {
  const server = servers.get(group);
  if (server === undefined) throw new Error(`no server for ${group}`);
  return server;
}

beforeAll(async () => {
  const path = (name: string): string => `SetEnv PATH=${folder}/only-${name}`;
  await Promise.all([start('bash', []), start('dash', [path('dash')]), start('ash', [path('ash')])]);
});

afterAll(async () => {
  await Promise.all([...servers.values()].map((server) => server.stop()));
  fs.rmSync(folder, { recursive: true, force: true });
});

describe.each(HOSTS)('login shell $shell, driver $kind', ({ account, kind, shell, group }) => {
  let connection: SshConnection;
  let test: TestLane;
  const run = (command: string, more?: Parameters<typeof runIn>[2]): Promise<Ran> => runIn(test.lane, command, more);
  const say = async (command: string): Promise<string> => (await run(command)).stdout;

  beforeAll(async () => {
    const server = serverOf(group);
    const { name, keyFile } = server.accountOf(account);
    connection = await connectTo(server, { username: name, credentials: { keyFile } });
  });
  afterAll(() => connection.close());
  beforeEach(async () => {
    test = await startLane((command) => connection.exec(command));
  });
  afterEach(() => test.close());

  it('names its driver', () => {
    const names = { dash: /^dash$/, ash: /^BusyBox ash$/ };
    expect(test.lane.shellName).toMatch(kind === 'sh' ? names[shell] : /^bash \d/);
  });

  it('1 keeps stdout and stderr apart', async () => {
    expect(await run('echo out; echo err >&2; echo out2')).toMatchObject({ stdout: 'out\nout2\n', stderr: 'err\n' });
  });

  it('2 gives the exit code of the command', async () => {
    expect(await run('(exit 42)')).toMatchObject({ status: 'exited', exitCode: 42, shellRestarted: false });
    expect((await run('no-such-program-here')).exitCode).toBe(127);
    expect((await run('/etc/passwd')).exitCode).toBe(126);
    expect(await run('true')).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
  });

  it('3 leaves a missing final newline missing', async () => {
    expect(await say('printf abc')).toBe('abc');
    expect(await say("printf 'a\\n\\n\\n'")).toBe('a\n\n\n');
    expect(await say("printf '\\n\\nb'")).toBe('\n\nb');
  });

  it('4 does not turn newlines into anything else', async () => {
    expect(await say("printf 'a\\nb\\r\\nc\\n'")).toBe('a\nb\r\nc\n');
  });

  it('5 keeps binary bytes exact', async () => {
    const command = "printf '\\000\\001\\036\\037\\377\\376\\200\\n'; printf '\\351\\000' >&2";
    const { stdoutBytes, stderrBytes } = await run(command);
    expect(stdoutBytes.toString('hex')).toBe('00011e1ffffe800a');
    expect(stderrBytes.toString('hex')).toBe('e900');
  });

  it('6 and 7 keep 1.3 MB on both streams at once exact', async () => {
    const big = 'head -c 1300000 /dev/zero';
    const { stdoutBytes, stderrBytes, exitCode } = await run(
      `{ ${big} | tr '\\000' e >&2; } & ${big} | tr '\\000' o; wait`,
    );
    expect(exitCode).toBe(0);
    expect(stdoutBytes.equals(Buffer.alloc(1_300_000, 'o'))).toBe(true);
    expect(stderrBytes.equals(Buffer.alloc(1_300_000, 'e'))).toBe(true);
  });

  it('8 gives a reader of stdin an end of file, and nothing of ours', async () => {
    expect(await say('cat; echo done')).toBe('done\n');
    expect(await say('read x; echo "got:[$x]"')).toBe('got:[]\n');
    expect(await say('echo next')).toBe('next\n');
    expect((await run('cat', { stdin: Buffer.from('a\0b\n') })).stdout).toBe('a\0b\n');
    expect((await run('true', { stdin: Buffer.alloc(2_000_000, 'x') })).exitCode).toBe(0);
    expect((await run('wc -c', { stdin: Buffer.alloc(2_000_000, 'x') })).stdout.trim()).toBe('2000000');
    expect(await say('echo after')).toBe('after\n');
  });

  it('9 and 10 answer an unbalanced quote with an error and go on', async () => {
    for (const command of ["echo 'oops", 'echo "oops', 'if true; then', 'echo $(', ')']) {
      const ran = await run(command);
      expect(ran.exitCode, command).not.toBe(0);
      expect(ran.stderr, command).not.toBe('');
      expect(ran.shellRestarted, command).toBe(false);
    }
    expect(await say('echo works')).toBe('works\n');
  });

  it('11 takes several lines, comments and back-slashes', async () => {
    expect(await say('for i in 1 2 3; do\n  echo $i\ndone')).toBe('1\n2\n3\n');
    expect(await say('echo hi # trailing comment')).toBe('hi\n');
    expect(await say('\n\necho x\n\n')).toBe('x\n');
    expect(await say("printf '%s|' 'a\\b' \"c d\" e\\ f '\\\\' '!' '`'")).toBe('a\\b|c d|e f|\\\\|!|`|');
    expect(['hi \\\n', 'hi\n']).toContain(await say('echo hi \\'));
    expect(await say('# nothing')).toBe('');
  });

  it('12 takes here-documents', async () => {
    expect(await say("cat <<'EOF'\nline 1\nline 2\nEOF")).toBe('line 1\nline 2\n');
    expect(await say('cat <<EOF\n  indented $((1+1))\nEOF\necho after')).toBe('  indented 2\nafter\n');
    await run('cat <<EOF\nnever closed');
    expect(await say('echo works')).toBe('works\n');
  });

  it('13 keeps the directory', async () => {
    expect(await run('cd /usr/share')).toMatchObject({ exitCode: 0, workingDir: '/usr/share' });
    expect(await say('pwd')).toBe('/usr/share\n');
    expect(test.lane.workingDir).toBe('/usr/share');
  });

  it('14 keeps exported variables', async () => {
    await run('export PB_A=\'one two\' PB_B="quote \' and \\" and \\$"');
    expect(await say('env | grep ^PB_ | sort')).toBe('PB_A=one two\nPB_B=quote \' and " and $\n');
  });

  it(
    kind === 'bash' ? '15 keeps plain variables and arrays' : '15 keeps plain variables (sh has no arrays)',
    async () => {
      await run('plain=kept');
      expect(await say('echo "$plain"; env | grep -c ^plain=')).toBe('kept\n0\n');
      if (kind === 'sh') return;
      await run('list=(a "b c" d); declare -A map; map[k]=v; declare -i number=4');
      expect(await say('echo "${#list[@]} ${list[1]} ${map[k]} $number"')).toBe('3 b c v 4\n');
    },
  );

  it('16 keeps shell options', async () => {
    await run('set -f; set -u');
    expect(await say('echo *; case $- in *u*) echo u;; esac')).toBe('*\nu\n');
    const traced = await run('set -x; echo traced');
    expect(traced).toMatchObject({ stdout: 'traced\n' });
    const again = await run('echo again');
    expect(again.stdout).toBe('again\n');
    expect(again.stderr).toMatch(/^\++ echo again\n$/);
    expect((await run('set +x; echo off')).stderr).toMatch(/^\++ set \+x\n$/);
    expect(await run('echo quiet')).toMatchObject({ stdout: 'quiet\n', stderr: '' });
  });

  it('17 keeps functions and aliases', async () => {
    await run('f() { echo "in f $1"; }');
    await run("alias hello='echo hello from'");
    expect(await say('f 1')).toBe('in f 1\n');
    expect(await say('hello me')).toBe('hello from me\n');
  });

  it('18 keeps the umask', async () => {
    await run('umask 027');
    expect((await say('umask')).trim()).toMatch(/^0?027$/);
  });

  it('19 keeps background jobs', async () => {
    await run('sleep 30 & one=$!');
    // dash forgets the code of a job that `jobs` has shown as done, so the second job starts after it.
    expect(await say('jobs')).toContain(kind === 'bash' ? 'sleep 30' : 'Running');
    await run('sh -c "exit 3" & two=$!');
    expect((await run('wait "$two"; echo $?; kill "$one"; wait "$one"; echo $?')).stdout).toBe('3\n143\n');
    const foreground = await run('sleep 30 & fg');
    expect(foreground.exitCode).not.toBe(0);
    expect(foreground.stderr).toMatch(/job/);
    await run('kill $!');
  });

  it('20 keeps open descriptors', async () => {
    await run('exec 3>descriptor-test; echo one >&3');
    await run('echo two >&3');
    expect(await say('exec 3>&-; cat descriptor-test; rm descriptor-test')).toBe('one\ntwo\n');
    await run("printf '1\\n2\\n' >lines-test; exec 4<lines-test; read first <&4");
    expect(await say('read second <&4; echo "$second"; exec 4<&-; rm lines-test')).toBe('2\n');
  });

  it('21 keeps $? from the command before', async () => {
    await run('(exit 9)');
    expect(await say('echo $?')).toBe('9\n');
    expect(await say('echo $?')).toBe('0\n');
  });

  it('22 returns at once from a background job', async () => {
    const before = Date.now();
    expect(await run('sleep 60 & echo started')).toMatchObject({ stdout: 'started\n', exitCode: 0 });
    expect(Date.now() - before).toBeLessThan(5000);
    await run('kill $!');
  });

  it('23 survives set -e and tells it', async () => {
    await run('cd /usr && export PB_KEPT=1');
    await run('set -e');
    expect(await run('echo before; false; echo never')).toMatchObject({
      ...{ status: 'exited', exitCode: 1, stdout: 'before\n', shellRestarted: true, workingDir: '/usr' },
    });
    expect(await say('echo "$PB_KEPT"; pwd')).toBe('1\n/usr\n');
  });

  it('24 survives exec and tells it', async () => {
    await run('cd /usr && export PB_KEPT=1');
    expect(await run('exec sh -c "echo replaced; exit 4"')).toMatchObject({
      ...{ status: 'exited', exitCode: 4, stdout: 'replaced\n', shellRestarted: true },
    });
    expect(await say('echo "$PB_KEPT"; pwd')).toBe('1\n/usr\n');
  });

  it('25 gives the code of exit and goes on', async () => {
    await run('cd /usr && export PB_KEPT="a  b"; unset LANG');
    expect(await run('echo bye; exit 5')).toMatchObject({
      exitCode: 5,
      stdout: 'bye\n',
      shellRestarted: true,
      status: 'exited',
    });
    expect(await say('echo "$PB_KEPT"; pwd; echo "${LANG-unset}"')).toBe('a  b\n/usr\nunset\n');
    expect(await run('kill -9 $$')).toMatchObject({ exitCode: 137, signal: 'KILL', shellRestarted: true });
    expect(await say('echo "$PB_KEPT"; pwd')).toBe('a  b\n/usr\n');
    expect(await say('env | grep -c -E "^__pb"')).toBe('0\n');
  });
});
