// A start or a --stop where a Patchbay runs already: what makes way, what is asked for, and what bridges notice.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quitAt } from '../../src-main/core/config/quit-marker.ts';
import { lookAtWork } from '../../src-main/other-work.ts';
import { useBridgeDesk } from '../support/bridge-desk.ts';
import { isRunning, waitFor } from '../support/processes.ts';
import { startApp, startProgram } from '../support/programs.ts';
import type { Started } from '../support/programs.ts';
import { textOf } from '../support/raw-bridge.ts';
import type { RawBridge } from '../support/raw-bridge.ts';
import { startSshd } from '../support/sshd.ts';
import type { TestSshd } from '../support/sshd.ts';

const here = useBridgeDesk();
const WAIT_MS = 40_000;

let sshd: TestSshd;
beforeAll(async () => {
  sshd = await startSshd();
});
afterAll(() => sshd.stop());

const headless = (...args: readonly string[]): Started => startProgram('headless.js', args, here.desk.environment);

async function openSession(bridge: RawBridge): Promise<void> {
  const { host, port, account } = sshd;
  const credentials = { username: account.name, keyFile: account.keyFile };
  const opened = await bridge.callTool('ssh_connect', { name: 'web-1', host, port, credentials });
  expect(opened['isError']).not.toBe(true);
}

/** Started by a bridge, as where a client gives it no display. */
async function startedByBridge(): Promise<{ readonly bridge: RawBridge; readonly pid: number }> {
  const bridge = here.bridge();
  await bridge.handshake();
  await bridge.request('tools/list');
  const run = await here.desk.running();
  expect(run.startedBy).toBe('bridge');
  return { bridge, pid: run.pid };
}

const replacedBy = (started: Started): Promise<void> =>
  waitFor('the new one to run', async () => (await here.desk.running()).pid === started.pid, WAIT_MS);

const gone = (pid: number): Promise<void> => waitFor('the old one to be gone', () => !isRunning(pid), WAIT_MS);

describe('one that a bridge started and nobody works with', () => {
  it('makes way for a person’s start without a question, and the bridge goes on with that one', async () => {
    const { bridge, pid } = await startedByBridge();
    const mine = headless();
    await replacedBy(mine);
    await gone(pid);
    expect((await here.desk.running()).startedBy).toBe('person');
    await waitFor('the bridge to find it', async () => {
      return (await bridge.callTool('ssh_list_sessions', {}))['isError'] !== true;
    });
    expect(await quitAt(here.desk.dataDir)).toBeUndefined();
    expect(await here.desk.journal()).toContain('"reason":"another start takes over"');
    expect(await here.journalCount('app.started')).toBe(2);
  });

  it('stays where a session is open: the start says where it is and how to end it', async () => {
    const { bridge, pid } = await startedByBridge();
    await openSession(bridge);
    const second = headless();
    expect(await second.ended).toBe(0);
    expect(second.stdout()).toContain(`runs already without a window (process ${pid}); nothing was started.`);
    expect(second.stdout()).toContain('npm start -- --take-over');
    const refused = headless('--take-over');
    expect(await refused.ended).toBe(2);
    expect(refused.stderr()).toBe(
      [
        'patchbay: This session would be closed:',
        `patchbay:   web-1 on ${sshd.host}`,
        'patchbay: Nothing was ended. To end it all the same: --take-over --force',
        '',
      ].join('\n'),
    );
    expect(isRunning(pid)).toBe(true);
    const forced = headless('--take-over', '--force');
    await replacedBy(forced);
    await gone(pid);
  });
});

describe('--stop', () => {
  it('ends the one that runs as a person’s Quit', async () => {
    const { bridge, pid } = await startedByBridge();
    const stop = headless('--stop');
    expect([await stop.ended, stop.stderr()]).toEqual([0, '']);
    expect(stop.stdout()).toMatch(new RegExp(`^Patchbay \\(process ${pid}\\) has ended\\.`));
    await gone(pid);
    expect(textOf(await bridge.callTool('ssh_list_sessions', {}))).toMatch(/^APP_QUIT: /);
  });

  it('names what would be closed and closes nothing, unless it is forced', async () => {
    const { bridge, pid } = await startedByBridge();
    await openSession(bridge);
    const run = { sessionName: 'web-1', command: 'sleep 600', waitSeconds: 0 };
    await bridge.callTool('ssh_exec', run);
    const stop = headless('--stop');
    expect(await stop.ended).toBe(2);
    expect(stop.stderr()).toContain(`patchbay:   web-1 on ${sshd.host}, where a command is running\n`);
    expect(isRunning(pid)).toBe(true);
    expect(await quitAt(here.desk.dataDir)).toBeUndefined();
    const forced = headless('--stop', '--force');
    expect(await forced.ended).toBe(0);
    await gone(pid);
  });

  it('has nothing to do where none runs', async () => {
    const stop = headless('--stop');
    expect(await stop.ended).toBe(0);
    expect(stop.stdout()).toBe(`No Patchbay runs with the data folder ${here.desk.dataDir}.\n`);
  });
});

describe('a person’s own', () => {
  it('is replaced by --take-over when nobody works with it', async () => {
    const first = await startApp(here.desk);
    const second = headless('--take-over');
    await replacedBy(second);
    expect(await first.ended).toBe(0);
  });

  it('that does not answer is not ended without force, and what would be lost is said to be unknown', async () => {
    const app = await startApp(here.desk);
    process.kill(app.pid, 'SIGSTOP');
    expect(await lookAtWork(app.run, 300)).toBeUndefined();
    const second = headless('--take-over');
    expect(await second.ended).toBe(2);
    expect(second.stderr()).toContain('does not answer, so what would be closed is not known');
    process.kill(app.pid, 'SIGCONT');
  });
});

describe('questions', () => {
  it.each([
    ['--help', /^Usage: npm start -- \[options\]/],
    ['-h', /^Usage: /],
    ['--version', /^\d+\.\d+\.\d+\n$/],
  ])('%s is answered with code 0 and starts nothing', async (option, text) => {
    const asked = headless(option);
    expect([await asked.ended, asked.stderr()]).toEqual([0, '']);
    expect(asked.stdout()).toMatch(text);
    expect(await here.desk.holder()).toBeUndefined();
  });
});
