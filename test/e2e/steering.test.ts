// A person steers: takes over, works, hands back, pauses, stops, watches; through the real window and a real browser page.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ToolFailure, Values } from '../support/assistant.ts';
import { keepScreen } from '../support/browser.ts';
import { isRunning, waitFor } from '../support/processes.ts';
import { startSshd } from '../support/sshd.ts';
import type { TestSshd } from '../support/sshd.ts';
import { CallFailure, ViewClient, loginWith } from '../support/view-client.ts';
import { gatedCommand, paneWith, showSession, startWorkDesk, targetOf } from '../support/work-desk.ts';
import type { WorkDesk } from '../support/work-desk.ts';

/** A refusal must not wait for anything; this is time enough for a busy machine. */
const AT_ONCE_MS = 3000;
/** Answered commands after which the app is killed, while others are under way. */
const KILL_AFTER = 100;

let desk: WorkDesk;
/** A server whose key nobody knows. */
let stranger: TestSshd;
/** The call that waits for a person to trust that key, and how long it took in milliseconds. */
let waiting: Promise<{ readonly failure: ToolFailure; readonly ms: number }>;
const views: Partial<Record<Door, Page>> = {};

type Door = 'window' | 'page';
const DOORS: readonly Door[] = ['window', 'page'];

beforeAll(async () => {
  [desk, stranger] = await Promise.all([startWorkDesk(), startSshd()]);
  views.window = desk.window;
  views.page = await desk.page('operator');
  const begun = performance.now();
  waiting = desk
    .fail('ssh_connect', targetOf(stranger, 'stranger', 'key'))
    .then((failure) => ({ failure, ms: performance.now() - begun }));
  // Awaited in its own test; until then a failure must not end the run.
  waiting.catch(() => undefined);
});
afterAll(async () => {
  await desk.close();
  await stranger.stop();
});

/** Sessions of the test that runs. */
const opened: string[] = [];

async function open(...names: string[]): Promise<void> {
  for (const name of names) await desk.ask('ssh_connect', desk.target(name, 'key'));
  opened.push(...names);
}

afterEach(async () => {
  const names = opened.splice(0);
  if (!isRunning(desk.app.pid)) return;
  for (const sessionName of names) await desk.ask('ssh_disconnect', { sessionName });
});

function viewAt(door: Door): Page {
  const view = views[door];
  if (view === undefined) throw new Error(`no ${door}`);
  return view;
}

const start = (sessionName: string, command: string): Promise<Values> =>
  desk.ask('ssh_exec', { sessionName, command, waitSeconds: 0 });

/** State and output of a command, without waiting. */
const outputOf = (sessionName: string, { commandId }: Values, waitSeconds = 0): Promise<Values> =>
  desk.ask('ssh_command_output', { sessionName, commandId, waitSeconds });

async function untilStatus(sessionName: string, command: Values, status: string): Promise<void> {
  const is = async (): Promise<boolean> => (await outputOf(sessionName, command))['status'] === status;
  await waitFor(`the command to be ${status}`, is);
}

/** Opens a session of this test and shows it at the door. */
async function openAt(door: Door, name: string): Promise<Page> {
  await open(name);
  await showSession(viewAt(door), name);
  return viewAt(door);
}

async function refusedAtOnce(sessionName: string): Promise<ToolFailure> {
  const begun = performance.now();
  const failure = await desk.fail('ssh_exec', { sessionName, command: 'echo must not run' });
  expect(performance.now() - begun).toBeLessThan(AT_ONCE_MS);
  return failure;
}

describe.each(DOORS)('taking over with F8 in the %s', (door) => {
  const name = `taken-in-${door}`;

  it('lets the running command go on, holds the queued one, refuses new ones, and hands back with a note', async () => {
    const view = await openAt(door, name);
    const gate = gatedCommand(desk.sshd, name);
    const running = await start(name, gate.text);
    const queued = await start(name, 'echo the queued one ran');
    expect(queued).toMatchObject({ status: 'queued', queuePosition: 1, blockedBy: running['commandId'] });

    await view.keyboard.press('F8');
    await view.getByText('You are driving').waitFor();
    const failure = await refusedAtOnce(name);
    expect(failure.code).toBe('HUMAN_IN_CONTROL');
    expect(failure.details).toMatchObject({ session: name });
    expect(await desk.ask('ssh_session_status', { sessionName: name })).toMatchObject({ lease: 'person' });
    expect((await outputOf(name, running))['status']).toBe('running');

    await gate.open();
    await untilStatus(name, running, 'exited');
    expect((await outputOf(name, running))['output']).toBe(`${name} began\n${name} went on\n`);
    await view.getByLabel(`Run a command on ${name}`).fill('echo typed by hand');
    await view.keyboard.press('Enter');
    await paneWith(view, name, '\ntyped by hand');
    await keepScreen(view, `steering-taken-${door}`);
    expect((await outputOf(name, queued))['status']).toBe('queued');

    await view.keyboard.press('F8');
    await view.getByLabel('Note for the assistant').fill('I have mended the — config');
    await keepScreen(view, `steering-note-${door}`);
    await view.keyboard.press('Enter');
    await untilStatus(name, queued, 'exited');
    const text = await paneWith(view, name, '\nthe queued one ran');
    expect(text).not.toContain('must not run');
    expect(text.indexOf('typed by hand')).toBeLessThan(text.indexOf('the queued one ran'));
  });

  it('gives the note to the assistant with its next result, and only once', async () => {
    const view = await openAt(door, `${name}-note`);
    await view.keyboard.press('F8');
    await view.getByText('You are driving').waitFor();
    await view.keyboard.press('F8');
    await view.getByLabel('Note for the assistant').fill('look at /etc/motd first');
    // The same key again hands back.
    await view.keyboard.press('F8');
    await view.getByRole('button', { name: `Take over ${name}-note` }).waitFor();
    const exec = { sessionName: `${name}-note`, command: 'echo my turn' };
    const next = await desk.ask('ssh_exec', exec);
    expect(next['notices']).toEqual([expect.stringContaining('look at /etc/motd first')]);
    expect(next).toMatchObject({ stdout: 'my turn\n', exitCode: 0 });
    expect((await desk.ask('ssh_exec', exec))['notices']).toEqual([]);
    const events = (await desk.journal()).split('\n').filter((line) => line.includes(`"${name}-note"`));
    const taken = events.find((line) => line.includes('"lease.taken"')) ?? '';
    expect(JSON.parse(taken)).toMatchObject({ actor: { kind: 'person', view: door } });
    expect(events.find((line) => line.includes('"lease.returned"'))).toContain('look at /etc/motd first');
  });
});

describe.each(DOORS)('pausing all assistants in the %s', (door) => {
  const name = `paused-in-${door}`;

  it('stops new input at the first press, cancels what runs at the second, and resumes', async () => {
    const view = await openAt(door, name);
    const running = await start(name, 'echo it has begun; sleep 600');
    const queued = await start(name, 'echo never');
    await paneWith(view, name, '\nit has begun');
    const button = view.getByRole('button', { name: 'Pause all assistants', exact: true });
    const place = await button.boundingBox();
    await button.click();
    await view.getByText('All assistants are paused.').waitFor();
    expect((await refusedAtOnce(name)).code).toBe('PAUSED');
    expect((await desk.fail('ssh_connect', desk.target('while-paused'))).code).toBe('PAUSED');
    expect((await outputOf(name, running))['status']).toBe('running');
    await keepScreen(view, `steering-paused-${door}`);

    // A hand in a hurry presses the same place again.
    await view.mouse.click((place?.x ?? 0) + (place?.width ?? 0) / 2, (place?.y ?? 0) + (place?.height ?? 0) / 2);
    await untilStatus(name, running, 'cancelled');
    await untilStatus(name, queued, 'cancelled');
    expect((await refusedAtOnce(name)).code).toBe('PAUSED');

    await view.getByRole('button', { name: 'Resume all assistants' }).click();
    await view.getByText('All assistants are paused.').waitFor({ state: 'detached' });
    expect(await desk.ask('ssh_exec', { sessionName: name, command: 'echo again' })).toMatchObject({
      ...{ stdout: 'again\n', exitCode: 0, shellRestarted: false },
    });
  });
});

describe('a viewer', () => {
  it('sees everything and can neither take over, run, type, pause nor trust; each try is refused and logged', async () => {
    await open('watched');
    await desk.ask('ssh_exec', { sessionName: 'watched', command: 'echo for all to see' });
    const page = await desk.page('viewer');
    await showSession(page, 'watched');
    await paneWith(page, 'watched', '\nfor all to see');
    await page.keyboard.press('F8');
    await page.getByText('To type here, open this page with the operator token').waitFor();
    for (const button of [/^Take over/, /^Pause all/, /^Disconnect/, /^Connect to a host/]) {
      expect(await page.getByRole('button', { name: button }).count()).toBe(0);
    }
    await keepScreen(page, 'steering-viewer');

    // What a page could send when its scripts were changed.
    const { monitorUrl, tokens } = desk.run;
    const view = await ViewClient.open({ monitorUrl, cookie: await loginWith(monitorUrl, tokens.viewer) });
    const session = 'watched';
    const tries: readonly (readonly [string, unknown])[] = [
      ['lease.take', { session }],
      ['command.run', { session, command: 'echo from a viewer' }],
      ['terminal.input', { session, base64: Buffer.from('id\n').toString('base64') }],
      ['pause.set', { state: 'all' }],
      ['session.disconnect', { session }],
    ];
    for (const [call, input] of tries) {
      const error: unknown = await view.raw(call, input).catch((fault: unknown) => fault);
      expect(error).toBeInstanceOf(CallFailure);
      expect(error).toMatchObject({ code: 'DENIED', details: { reason: 'role', role: 'viewer' } });
    }
    await view.close();
    expect(await desk.ask('ssh_session_status', { sessionName: session })).toMatchObject({ lease: 'agent' });
    expect((await desk.ask('ssh_exec', { sessionName: session, command: 'echo still mine' }))['exitCode']).toBe(0);
    const refusals = (await desk.logs()).split('\n').filter((line) => line.includes('call of a view refused: role'));
    for (const [call] of tries) expect(refusals.some((line) => line.includes(call))).toBe(true);
    expect(await desk.journal()).not.toContain('from a viewer');
    await page.close();
  });
});

describe('a host key that nobody knows', () => {
  it('asks with a card, answers after 45 s with the fingerprint, and works once the person has trusted it', async () => {
    const { window } = desk;
    const card = window.getByRole('article', { name: `Unknown host key of ${stranger.host}` });
    await card.waitFor();
    const fingerprint = stranger.hostKeys[0]?.fingerprint ?? '';
    expect(await card.innerText()).toContain(fingerprint);
    await keepScreen(window, 'steering-host-key-window');
    const { failure, ms } = await waiting;
    expect(ms).toBeGreaterThan(44_000);
    expect(ms).toBeLessThan(55_000);
    expect(failure.code).toBe('HOST_KEY_UNKNOWN');
    expect(failure.text).toContain(fingerprint);
    expect(failure.details).toMatchObject({ fingerprint });
    expect(stranger.log()).not.toContain('Accepted');
    await card.getByText('The call was answered').waitFor();
    await keepScreen(window, 'steering-host-key-answered');
    await card.getByRole('button', { name: 'Trust this key' }).click();
    await card.waitFor({ state: 'detached' });
    expect(await desk.ask('ssh_connect', targetOf(stranger, 'stranger', 'key'))).toMatchObject({
      ...{ name: 'stranger', status: 'connected', fingerprint },
    });
  });
});

describe('a page of the window that dies', () => {
  it('comes back with the whole history while commands go on', async () => {
    await open('outlives');
    await showSession(desk.window, 'outlives');
    await desk.ask('ssh_exec', { sessionName: 'outlives', command: 'seq 1 2000' });
    const gate = gatedCommand(desk.sshd, 'outlives');
    const running = await start('outlives', gate.text);
    const before = await paneWith(desk.window, 'outlives', '\noutlives began');
    await desk.app.app.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer();
    });
    await waitFor('the page to come back', async () => (await desk.app.windowText()).includes('outlives'));
    expect((await outputOf('outlives', running))['status']).toBe('running');
    await gate.open();
    expect((await outputOf('outlives', running, 20))['output']).toBe('outlives began\noutlives went on\n');
    let shown = '';
    await waitFor('the history in the new page', async () => {
      shown = await desk.app.paneText('outlives');
      return shown.includes('\noutlives went on');
    });
    expect(shown).toBe(`${before}\noutlives went on`);
    expect(desk.faults).toEqual([]);
  });
});

describe('an app that is killed at work', () => {
  /** The numbers that `echo` has left in a text. */
  const numbersIn = (text: string, pattern: RegExp): string[] =>
    [...text.matchAll(pattern)].map(([, number = '']) => number);

  it('has every command in the journal that reached a host', async () => {
    const sessions = ['crash-1', 'crash-2', 'crash-3'];
    await open(...sessions);
    const trace = path.join(desk.sshd.account.home, 'trace');
    const answered: number[] = [];
    let [sent, killed] = [0, false];
    /** One call after another; those that are under way at the kill fail, and none follows, which would start the app anew. */
    const work = async (sessionName: string): Promise<void> => {
      while (!killed) {
        const number = (sent += 1);
        await desk.ask('ssh_exec', { sessionName, command: `echo mark ${number} >> ${trace}; sleep 0.01` });
        answered.push(number);
        if (answered.length < KILL_AFTER || killed) continue;
        killed = true;
        process.kill(desk.app.pid, 'SIGKILL');
      }
    };
    const ends = await Promise.allSettled([...sessions, ...sessions, ...sessions].map(work));
    expect(ends.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
    await waitFor('the app to be gone', () => !isRunning(desk.app.pid));

    const lines = (await desk.journal()).split('\n').filter((line) => line !== '');
    for (const line of lines.slice(0, -1)) JSON.parse(line);
    const started = new Set(
      numbersIn(lines.filter((line) => line.includes('"type":"command.started"')).join('\n'), /echo mark (\d+) /g),
    );
    const reached = numbersIn(await readFile(trace, 'utf8'), /mark (\d+)/g);
    expect(reached.length).toBeGreaterThanOrEqual(KILL_AFTER);
    expect(reached.filter((number) => !started.has(number))).toEqual([]);
    expect(answered.filter((number) => !started.has(String(number)))).toEqual([]);
  });
});
