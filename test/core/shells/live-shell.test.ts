// The drivers against real shell processes of this machine, one per login shell.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { START_LINE } from '../../../src-main/core/shells/boot.ts';
import type { LiveShell, RunEnd } from '../../../src-main/core/shells/live-shell.ts';
import { greet } from '../../../src-main/core/shells/live-shell.ts';
import { parseEnvironment } from '../../../src-main/core/shells/environment.ts';
import { createLocalAccount } from '../../support/local-shell.ts';
import type { LocalAccount } from '../../support/local-shell.ts';

// Folders with links to a few programs, so that PATH finds no bash.
const folder = mkdtempSync(path.join(tmpdir(), 'patchbay-path-'));
const PROGRAMS = ['cat', 'head', 'rm', 'readlink', 'sleep', 'env', 'tr', 'ps'];
mkdirSync(path.join(folder, 'dash'));
mkdirSync(path.join(folder, 'busybox'));
symlinkSync('/bin/dash', path.join(folder, 'dash', 'sh'));
for (const name of PROGRAMS) symlinkSync(`/usr/bin/${name}`, path.join(folder, 'dash', name));
for (const name of [...PROGRAMS, 'sh']) symlinkSync('/bin/busybox', path.join(folder, 'busybox', name));
const NO_BASH = { PATH: path.join(folder, 'dash') };
const ONLY_BUSYBOX = { PATH: path.join(folder, 'busybox') };
afterAll(() => rmSync(folder, { recursive: true }));

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function start(account: LocalAccount): Promise<{ shell: LiveShell; noise: () => string; late: () => string }> {
  const { open, end } = createLocalAccount(account);
  ends.push(end);
  let noise = '';
  let late = '';
  const sinks = {
    onNoise: (bytes: Buffer) => (noise += bytes.toString()),
    onLate: (_: string, bytes: Buffer) => (late += bytes.toString()),
    onClosed: () => undefined,
  };
  const shell = await greet(await open(START_LINE), sinks, 10_000);
  if (shell === null) throw new Error(`no greeting: ${noise}`);
  return { shell, noise: () => noise, late: () => late };
}

interface Got {
  readonly end: RunEnd;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(shell: LiveShell, command: string, stdin: string | null = null, directory = ''): Promise<Got> {
  const pieces = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  const request = { command, directory, stdin: stdin === null ? null : Buffer.from(stdin) };
  const end = await shell.run(request, (stream, bytes) => pieces[stream].push(bytes));
  return { end, stdout: Buffer.concat(pieces.stdout).toString(), stderr: Buffer.concat(pieces.stderr).toString() };
}

const ACCOUNTS: readonly { name: string; account: LocalAccount; says: RegExp }[] = [
  { name: 'bash', account: { shell: '/bin/bash' }, says: /^bash \d/ },
  { name: 'dash', account: { shell: '/bin/dash' }, says: /^bash \d/ },
  { name: 'zsh', account: { shell: '/usr/bin/zsh' }, says: /^bash \d/ },
  { name: 'fish', account: { shell: '/usr/bin/fish' }, says: /^bash \d/ },
  { name: 'tcsh', account: { shell: '/usr/bin/tcsh' }, says: /^bash \d/ },
  { name: 'BusyBox ash', account: { shell: '/bin/busybox', args: ['ash'] }, says: /^bash \d/ },
  { name: 'dash, no bash on the host', account: { shell: '/bin/dash', env: NO_BASH }, says: /^dash$/ },
  {
    name: 'BusyBox ash, no bash on the host',
    account: { shell: '/bin/busybox', args: ['ash'], env: ONLY_BUSYBOX },
    says: /^BusyBox ash$/,
  },
];

describe.each(ACCOUNTS)('login shell $name', ({ account, says }) => {
  it('greets, runs a command and reports code, streams and directory', async () => {
    const { shell, noise } = await start({ ...account, cwd: '/usr' });
    expect(shell.greeting.name).toMatch(says);
    expect(shell.greeting.directory).toBe('/usr');
    expect(shell.greeting.umask).toBe('0022');
    expect(shell.greeting.pid).toBeGreaterThan(1);
    expect(noise()).toBe('');
    const got = await run(shell, 'printf out; printf err >&2; cd /; (exit 7)');
    expect(got).toEqual({
      end: { kind: 'ended', status: 7, fault: 'none', directory: '/' },
      stdout: 'out',
      stderr: 'err',
    });
    expect(await run(shell, 'echo $?')).toMatchObject({ stdout: '7\n' });
    const input = await run(shell, 'cat; echo done', 'a\0b');
    expect(input).toMatchObject({ stdout: 'a\0bdone\n' });
    expect(parseEnvironment(shell.environment)?.get('HOME')).toMatch(/^["']\/tmp["']$/);
  });
});
