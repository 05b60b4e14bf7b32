// The main job end to end: an assistant works through the bridge while window, page and a late page show the same.
import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keepScreen } from '../support/browser.ts';
import type { Values } from '../support/assistant.ts';
import { gatedCommand, paneWith, showSession, startWorkDesk } from '../support/work-desk.ts';
import type { WorkDesk } from '../support/work-desk.ts';

const STDOUT_BYTES = 5_000_000;
const STDERR_BYTES = 1_000_000;
/** Digits on stdout and letters on stderr, so that a pane that mixes them can be taken apart. */
const FLOOD = `seq 1 800000 | head -c ${STDOUT_BYTES} & seq 1 200000 | tr 0-9 a-j | head -c ${STDERR_BYTES} >&2; wait`;
const PIECE_BYTES = 200_000;
/** A pane keeps at least this many lines of what it drew. */
const KEPT_LINES = 20_000;
const SLEEP_SECONDS = 90;

let desk: WorkDesk;
let page: Page;
/** The long command, started before everything else, and how long its call took in milliseconds. */
let sleeping: Promise<{ readonly result: Values; readonly ms: number }>;

beforeAll(async () => {
  desk = await startWorkDesk();
  page = await desk.page('viewer');
  await desk.ask('ssh_connect', desk.target('slow', 'key'));
  const begun = performance.now();
  sleeping = desk
    .ask('ssh_exec', {
      sessionName: 'slow',
      command: `sleep ${SLEEP_SECONDS}; echo slept; exit_code() { return 4; }; exit_code`,
    })
    .then((result) => ({ result, ms: performance.now() - begun }));
  // Awaited in the last test; until then a failure must not end the run.
  sleeping.catch(() => undefined);
});
afterAll(() => desk.close());

const exec = (command: string, more: Values = {}): Promise<Values> =>
  desk.ask('ssh_exec', { sessionName: 'web-1', command, ...more });

/** All bytes of a stream, as an assistant fetches them. */
async function fetchStream(commandId: unknown, stream: 'stdout' | 'stderr'): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let offset = 0; ;) {
    const part = await desk.ask('ssh_command_output', {
      ...{ sessionName: 'web-1', commandId, stream, offset, limit: PIECE_BYTES, encoding: 'base64' },
    });
    pieces.push(Buffer.from(String(part['output']), 'base64'));
    offset = Number(part['nextOffset']);
    if (part['complete'] === true) return Buffer.concat(pieces);
  }
}

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

/** What `seq 1 <last> | head -c <bytes>` prints. */
function sequence(last: number, bytes: number): string {
  return Array.from({ length: last }, (_, index) => `${index + 1}\n`)
    .join('')
    .slice(0, bytes);
}

const asLetters = (text: string): string => text.replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)));

/** A page that joins now, by the address that the assistant gives to the person. */
async function lateView(): Promise<Page> {
  const { url } = await desk.ask('ssh_get_session_url', { sessionName: 'web-1' });
  const late = await desk.pageAt(String(url));
  await late.getByRole('heading', { name: 'web-1', level: 1 }).waitFor();
  return late;
}

it('opens one session by password and one by key, and shows both without taking the focus', async () => {
  const byPassword = await desk.ask('ssh_connect', desk.target('web-1'));
  const byKey = await desk.ask('ssh_connect', desk.target('db-1', 'key'));
  const { host, port, account, hostKeys } = desk.sshd;
  for (const [name, details] of [['web-1', byPassword] as const, ['db-1', byKey] as const]) {
    expect(details).toMatchObject({ name, host, port, username: account.name, status: 'connected' });
    expect(details['workingDir']).toBe(account.home);
    expect(details['fingerprint']).toBe(hostKeys[0]?.fingerprint);
  }
  expect(desk.sshd.log()).toMatch(/Accepted password for tester[^]*Accepted publickey for tester/);
  for (const view of [desk.window, page]) {
    await view.locator('.session-row', { hasText: 'db-1' }).waitFor();
    expect(await view.getByRole('heading', { level: 1, name: 'web-1' }).count()).toBe(0);
    await showSession(view, 'web-1');
  }
});

it('keeps directory and variables, tells exit codes, and shows in all views what the spool holds', async () => {
  const { home } = desk.sshd.account;
  const commands = [
    'cd /usr/share',
    'export COLOUR="blau — grün"',
    'echo "$COLOUR in $PWD"',
    'ls /nowhere',
    '(exit 7)',
  ];
  const results: Values[] = [];
  for (const command of commands) results.push(await exec(command));
  expect(results.map(({ status, exitCode }) => [status, exitCode])).toEqual(
    [0, 0, 0, 2, 7].map((code) => ['exited', code]),
  );
  expect(results.map(({ workingDir }) => workingDir)).toEqual(commands.map(() => '/usr/share'));
  expect(results[2]).toMatchObject({ stdout: 'blau — grün in /usr/share\n', stderr: '' });
  expect(results[3]).toMatchObject({ stdout: '', stderr: expect.stringContaining('/nowhere') as unknown });

  const blocks = await Promise.all(
    commands.map(async (command, index) => {
      const place = index === 0 ? home : '/usr/share';
      const { commandId } = results[index] ?? {};
      const output = [await fetchStream(commandId, 'stdout'), await fetchStream(commandId, 'stderr')];
      return `\n${place} ${command}\n${Buffer.concat(output).toString()}`;
    }),
  );
  const late = await lateView();
  const shown = await Promise.all([desk.window, page, late].map((view) => paneWith(view, 'web-1', '(exit 7)')));
  expect(shown).toEqual(shown.map(() => blocks.join('').trimEnd()));
  await late.close();
});

it('shows what a command prints while it still runs', async () => {
  const gate = gatedCommand(desk.sshd, 'slowly');
  const { commandId, status } = await exec(gate.text, { waitSeconds: 0 });
  expect(status).toBe('running');
  const late = await lateView();
  const views = [desk.window, page, late];
  await Promise.all(views.map((view) => paneWith(view, 'web-1', '\nslowly began')));
  expect((await desk.ask('ssh_command_output', { sessionName: 'web-1', commandId }))['status']).toBe('running');
  await gate.open();
  const shown = await Promise.all(views.map((view) => paneWith(view, 'web-1', '\nslowly went on')));
  expect(new Set(shown).size).toBe(1);
  await late.close();
});

it('keeps 5 MB of stdout and 1 MB of stderr at once exact, and all views show the same end of it', async () => {
  const flood = await exec(FLOOD, { waitSeconds: 60 });
  expect(flood).toMatchObject({
    ...{ status: 'exited', exitCode: 0, truncated: true, lossy: false },
    ...{ stdoutBytes: STDOUT_BYTES, stderrBytes: STDERR_BYTES },
  });
  const [stdout, stderr] = [sequence(800_000, STDOUT_BYTES), asLetters(sequence(200_000, STDERR_BYTES))];
  expect(sha256(await fetchStream(flood['commandId'], 'stdout'))).toBe(sha256(stdout));
  expect(sha256(await fetchStream(flood['commandId'], 'stderr'))).toBe(sha256(stderr));

  const late = await lateView();
  await exec('echo the flood is $((1 + 1 == 2 ? 0 : 1)) metres deep');
  const shown = await Promise.all(
    [desk.window, page, late].map(async (view) => {
      const lines = (await paneWith(view, 'web-1', '\nthe flood is 0 metres deep')).split('\n');
      return lines.slice(-KEPT_LINES).join('\n');
    }),
  );
  expect(shown.map(sha256)).toEqual(shown.map(() => sha256(shown[0] ?? '')));
  // Where the two streams meet depends on arrival; each by itself has to be the end of what the spool holds.
  const kept = (shown[0] ?? '').split('\n/usr/share echo the flood')[0] ?? '';
  const [digits, letters] = [kept.replace(/\D/g, ''), kept.replace(/[^a-j]/g, '')];
  expect(digits.length + letters.length).toBeGreaterThan(KEPT_LINES);
  expect(stdout.replaceAll('\n', '').endsWith(digits)).toBe(true);
  expect(stderr.replaceAll('\n', '').endsWith(letters)).toBe(true);
  await late.close();
});

it('lists the sessions, describes one, and gives its address', async () => {
  const { sessions } = await desk.ask('ssh_list_sessions');
  expect(sessions).toEqual(
    [['slow', true] as const, ['web-1', false] as const, ['db-1', false] as const].map(
      ([name, busy]) => expect.objectContaining({ name, busy, host: desk.sshd.host, status: 'connected' }) as unknown,
    ),
  );
  const status = await desk.ask('ssh_session_status', { sessionName: 'web-1' });
  expect(status).toMatchObject({ name: 'web-1', workingDir: '/usr/share', status: 'connected', lease: 'agent' });
  const flood = (status['commands'] as Values[]).find(({ command }) => command === FLOOD);
  expect(flood).toMatchObject({ stdoutBytes: STDOUT_BYTES, stderrBytes: STDERR_BYTES, client: 'claude-at-work' });
  const { url } = await desk.ask('ssh_get_session_url', { sessionName: 'web-1' });
  expect(String(url)).toMatch(new RegExp(`^${desk.run.monitorUrl}/session/web-1#v=`));
});

it('looks right in window, page and late page, in light and in dark', async () => {
  await exec('printf "\\033[32mpassing\\033[0m 41 tests\\n"; echo one warning >&2; false');
  await exec('uname -s; id -un; pwd');
  const late = await lateView();
  for (const theme of ['light', 'dark'] as const) {
    for (const [name, view] of [['window', desk.window] as const, ['page', page] as const, ['late', late] as const]) {
      await view.emulateMedia({ colorScheme: theme });
      await paneWith(view, 'web-1', '\ntester\n');
      await view.getByText('exit 1').first().waitFor();
      await keepScreen(view, `main-job-${name}-${theme}`);
    }
  }
  // The terminal has a scroll bar of its own; a second one, which scrolls nothing, shows in the window only.
  const dead = await desk.window.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.xterm-viewport')].map((part) => part.offsetWidth - part.clientWidth),
  );
  expect(dead).toEqual([0]);
  // A ticket's view is not told who is connected, so it must not say that nobody is.
  expect(await late.locator('.status-bar').innerText()).not.toContain('assistant connected');
  await late.close();
});

it('closes a session, and every view says so', async () => {
  const late = await lateView();
  expect(await desk.ask('ssh_disconnect', { sessionName: 'web-1' })).toMatchObject({
    ...{ sessionName: 'web-1', closed: true, stillRunning: [] },
  });
  for (const view of [desk.window, page]) await view.getByText('web-1 is closed').waitFor();
  await late
    .getByText(/closed|ended/i)
    .first()
    .waitFor();
  await keepScreen(late, 'main-job-late-closed');
  expect((await desk.fail('ssh_exec', { sessionName: 'web-1', command: 'true' })).code).toBe('SESSION_NOT_FOUND');
  expect(desk.faults).toEqual([]);
});

it('answers a command of 90 s as running after 45 s, and its end later', async () => {
  const { result, ms } = await sleeping;
  expect(result).toMatchObject({ status: 'running', exitCode: null, stdout: '' });
  expect(ms).toBeGreaterThan(44_000);
  expect(ms).toBeLessThan(55_000);
  const { commandId } = result;
  let end = result;
  // A wait ends with new output, too: the line comes just before the end.
  for (let offset = 0; end['complete'] !== true; offset = Number(end['nextOffset'])) {
    end = await desk.ask('ssh_command_output', { sessionName: 'slow', commandId, waitSeconds: 80, offset });
  }
  expect(end).toMatchObject({ status: 'exited', exitCode: 4, stdoutBytes: 6, stderrBytes: 0 });
  expect(end['durationMs']).toBeGreaterThan(SLEEP_SECONDS * 1000);
  const { output } = await desk.ask('ssh_command_output', { sessionName: 'slow', commandId });
  expect(output).toBe('slept\n');
});
