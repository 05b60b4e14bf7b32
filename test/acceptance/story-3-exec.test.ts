// Story 3, ssh_exec: through a real client, the bridge, and a real SSH server.
import { beforeAll, expect, it } from 'vitest';
import { useAssistant } from '../support/assistant.ts';
import type { Values } from '../support/assistant.ts';
import { asRecord } from '../support/record.ts';

const here = useAssistant();
const { ask, fail, target } = here;

/** The call answers after 45 s by itself; this test waits for that. */
const LONG_MS = 90_000;

beforeAll(async () => {
  await ask('ssh_connect', target('work'));
  await ask('ssh_connect', target('other'));
});

const exec = (command: string, more: Values = {}): Promise<Values> =>
  ask('ssh_exec', { sessionName: 'work', command, ...more });

it('[S3.1, S3.2] runs the command in the session named', async () => {
  await exec('mark=work');
  await ask('ssh_exec', { sessionName: 'other', command: 'mark=other' });
  expect(await exec('echo $mark')).toMatchObject({ stdout: 'work\n', status: 'exited' });
  expect(await ask('ssh_exec', { sessionName: 'other', command: 'echo $mark' })).toMatchObject({ stdout: 'other\n' });
});

it('[S3.1, S3.3] changes the directory first, and runs nothing when it cannot', async () => {
  expect(await exec('pwd', { workingDir: '/usr' })).toMatchObject({ stdout: '/usr\n', workingDir: '/usr' });
  const failed = await exec('echo ran', { workingDir: '/no/such/directory' });
  expect(failed).toMatchObject({ stdout: '' });
  expect(failed['exitCode']).not.toBe(0);
  expect(JSON.stringify(failed)).toContain('/no/such/directory');
  expect(await exec('pwd')).toMatchObject({ stdout: '/usr\n' });
});

it('[S3.4] gives stdout and stderr complete and apart', async () => {
  const command =
    'printf "out 1\\n"; printf "err 1\\n" >&2; printf "ünicode €\\n"; printf "no newline"; printf "err end" >&2';
  expect(await exec(command)).toMatchObject({
    stdout: 'out 1\nünicode €\nno newline',
    stderr: 'err 1\nerr end',
    truncated: false,
  });
});

it.each([0, 1, 2, 42, 126, 127, 255])('[S3.5] gives the exit code %i', async (code) => {
  expect(await exec(`(exit ${code})`)).toMatchObject({ exitCode: code, status: 'exited' });
});

it('[S3.5] gives the exit code also when the shell itself exits, and goes on', async () => {
  expect(await exec('exit 5')).toMatchObject({ exitCode: 5, shellRestarted: true });
  expect(await exec('echo on')).toMatchObject({ stdout: 'on\n', exitCode: 0 });
});

it('[S3.6] keeps directory, variables, functions and options for the next command', async () => {
  await exec('cd /tmp; export SHOWN=a; hidden=b; say() { echo "said $1"; }; umask 027; list=(1 2 3)');
  expect(await exec('pwd; echo $SHOWN$hidden; say x; umask; echo ${list[2]}')).toMatchObject({
    stdout: '/tmp\nab\nsaid x\n0027\n3\n',
    workingDir: '/tmp',
  });
});

it('[S3.7] answers an unknown session with an error that names those that exist', async () => {
  const { code, text } = await fail('ssh_exec', { sessionName: 'nobody', command: 'true' });
  expect(code).toBe('SESSION_NOT_FOUND');
  expect(text).toMatch(/nobody/);
  expect(text).toMatch(/other.*work|work.*other/);
});

it(
  '[S3.8] answers "running" before any client gives up, and the end can be had later',
  { timeout: LONG_MS },
  async () => {
    const begun = Date.now();
    const running = await exec('echo begun; sleep 50; echo ended; exit_with() { return 7; }; exit_with');
    const waited = Date.now() - begun;
    expect(waited).toBeGreaterThan(44_000);
    expect(waited).toBeLessThan(55_000);
    expect(running).toMatchObject({ status: 'running', stdout: 'begun\n', exitCode: null });
    const { commandId } = running;
    const later = await ask('ssh_command_output', { sessionName: 'work', commandId, waitSeconds: 30 });
    expect(later).toMatchObject({ status: 'exited', exitCode: 7, output: 'begun\nended\n', complete: true });
  },
);

it('[S3.9] begins a command within 2 seconds, also while other sessions are busy', async () => {
  const busy = ask('ssh_exec', { sessionName: 'other', command: 'for i in 1 2 3 4 5 6; do sleep 0.2; done' });
  const asked = Date.now();
  const { startedAt } = await exec('true');
  expect(new Date(String(startedAt)).getTime() - asked).toBeLessThan(2_000);
  await busy;
});

it('[S3.10] loses no byte of 5 MB on stdout and 1 MB on stderr at once', async () => {
  const result = await exec('seq 1 900000 | head -c 5000000 & seq 1 200000 | head -c 1000000 >&2; wait');
  expect(result).toMatchObject({ stdoutBytes: 5_000_000, stderrBytes: 1_000_000, truncated: true });
  for (const [stream, size] of [
    ['stdout', 5_000_000],
    ['stderr', 1_000_000],
  ] as const) {
    const all = await readWhole(String(result['commandId']), stream);
    expect(all.length).toBe(size);
    expect(all.toString()).toBe(numbers(size));
  }
});

async function readWhole(commandId: string, stream: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let offset = 0;
  for (let complete = false; !complete;) {
    const asked = { sessionName: 'work', commandId, stream, offset, limit: 200_000, encoding: 'base64' };
    const part = await ask('ssh_command_output', asked);
    pieces.push(Buffer.from(String(part['output']), 'base64'));
    offset = Number(part['nextOffset']);
    complete = part['complete'] === true;
  }
  return Buffer.concat(pieces);
}

/** The start of what seq prints. */
function numbers(size: number): string {
  const lines = Array.from({ length: 900_000 }, (_one, index) => String(index + 1));
  return `${lines.join('\n')}\n`.slice(0, size);
}

it('[S3.11] lets a command run for 30 minutes, and a day when asked, and stops it at the limit given', async () => {
  const tool = (await here.client.listTools()).find(({ name }) => name === 'ssh_exec');
  const { timeoutSeconds } = asRecord(asRecord(asRecord(tool)['inputSchema'])['properties']);
  expect(timeoutSeconds).toMatchObject({
    maximum: 86_400,
    description: expect.stringContaining('default 1800') as unknown,
  });
  const past = await exec('sleep 1.2; echo done', { timeoutSeconds: 1800 });
  expect(past).toMatchObject({ status: 'exited', stdout: 'done\n' });
  expect(await exec('sleep 30', { timeoutSeconds: 1 })).toMatchObject({ status: 'timed_out' });
  expect((await fail('ssh_exec', { sessionName: 'work', command: 'true', timeoutSeconds: 86_401 })).code).toBe(
    'INVALID_PARAMS',
  );
});
