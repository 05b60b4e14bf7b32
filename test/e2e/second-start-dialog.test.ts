// The question at a start of the app where a Patchbay without a window works: what it says, and what each answer does.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunFile } from '../../src-main/core/config/run-file.ts';
import { tcpClient } from '../support/app.ts';
import { runApp } from '../support/electron.ts';
import type { ShortRun } from '../support/electron.ts';
import { freePort } from '../support/net.ts';
import { isRunning, waitFor } from '../support/processes.ts';
import { createDesk, startApp } from '../support/programs.ts';
import type { App, Desk } from '../support/programs.ts';
import { startSshd } from '../support/sshd.ts';
import type { TestSshd } from '../support/sshd.ts';
import { startXScreen } from '../support/x-screen.ts';
import type { XScreen } from '../support/x-screen.ts';

/** A person reads before they press; a window that comes meanwhile would cover what they read. */
const READING_MS = 2_000;
const [PAGE, TAKE_OVER, CANCEL, NOBODY] = [0, 1, 2, -1];

let sshd: TestSshd;
let screen: XScreen;
let folder: string;
let desk: Desk;
let first: App;

beforeAll(async () => {
  [sshd, screen] = await Promise.all([startSshd(), startXScreen()]);
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-dialog-'));
});
afterAll(async () => {
  await Promise.all([sshd.stop(), screen.close()]);
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  desk = await createDesk();
  first = await startApp(desk, { WEB_PORT: String(await freePort()) });
  const { host, port, account } = sshd;
  const credentials = { username: account.name, keyFile: account.keyFile };
  const client = await tcpClient(first.run);
  await client.callTool('ssh_connect', { name: 'web-1', host, port, credentials });
  await client.callTool('ssh_exec', { sessionName: 'web-1', command: 'sleep 600', waitSeconds: 0 });
  await client.close();
});
afterEach(() => desk.close());

/** Stands in the place of the person: presses one button, and notes what was said and done. */
async function answering(button: number): Promise<{ readonly preload: string; said(): Promise<string> }> {
  const [preload, file] = [path.join(folder, `press-${button}.cjs`), path.join(folder, `said-${button}`)];
  const note = (name: string, what: string): string =>
    `(...args) => { fs.appendFileSync(${JSON.stringify(file)}, ${JSON.stringify(`${name} `)} + ${what} + '\\n'); `;
  await writeFile(
    preload,
    `const fs = require('node:fs');
     const { app, clipboard, dialog, shell } = require('electron');
     const press = (answer) => ${button} >= 0 && setTimeout(answer, ${READING_MS}, { response: ${button} });
     dialog.showMessageBox = ${note('dialog', 'args.at(-1).message + "\\n" + args.at(-1).detail')} return new Promise(press); };
     app.on('browser-window-created', (_event, window) => window.on('show', ${note('window', '"shown"')} }));
     clipboard.writeText = ${note('clipboard', 'args[0]')} };
     shell.openExternal = ${note('open', 'args[0]')} return Promise.resolve(); };`,
  );
  return { preload, said: () => readFile(file, 'utf8') };
}

const start = (preload: string): Promise<ShortRun> => runApp(desk.dataDir, { preload, display: screen.display });

describe('a start beside one at which a command runs', () => {
  it('says what would be closed and leaves it alone when the person cancels', async () => {
    const person = await answering(CANCEL);
    expect((await start(person.preload)).code).toBe(0);
    const said = await person.said();
    expect(said).toContain('dialog Patchbay runs already, without a window\n');
    expect(said).toContain(`It was started at a terminal (process ${first.pid}).`);
    expect(said).toContain(`This session would be closed:\n  web-1 on ${sshd.host}, where a command is running\n`);
    expect(said).not.toMatch(/^(open|clipboard) /m);
    expect(isRunning(first.pid)).toBe(true);
  });

  it('ends by a signal although its question is open', async () => {
    const person = await answering(NOBODY);
    const run = await runApp(desk.dataDir, {
      preload: person.preload,
      display: screen.display,
      signalWhen: () => person.said().then((said) => said.includes('dialog ')),
    });
    expect(run.code).toBe(0);
    expect(isRunning(first.pid)).toBe(true);
  });

  it('opens its page, with the token on the clipboard and not in the address', async () => {
    const person = await answering(PAGE);
    expect((await start(person.preload)).code).toBe(0);
    const said = await person.said();
    expect(said).toContain(
      `\nclipboard ${first.run.tokens.operator}\nopen ${first.run.monitorUrl}/\ndialog The monitor page opens`,
    );
    expect(isRunning(first.pid)).toBe(true);
  });

  it('takes its place when the person says so', async () => {
    const person = await answering(TAKE_OVER);
    const ended = start(person.preload);
    let now: RunFile | undefined;
    await waitFor(
      'the app to run',
      async () => {
        now = await desk.running();
        return now.mode === 'app';
      },
      40_000,
    );
    expect(await first.ended).toBe(0);
    expect(now).toMatchObject({ mode: 'app', startedBy: 'person' });
    await waitFor('the window', async () => (await person.said()).includes('window shown'), 40_000);
    expect((await person.said()).split('\n').filter((line) => /^(dialog|window) /.test(line))).toEqual([
      'dialog Patchbay runs already, without a window',
      'window shown',
    ]);
    process.kill(now?.pid ?? 0, 'SIGTERM');
    expect((await ended).code).toBe(0);
    expect(await desk.journal()).toContain('"reason":"another start takes over"');
  });
});
