// The page on the real headless program and a real SSH server: what assistant, pages and spool say is the same.
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { createDesk, startApp, tcpClient } from '../support/app.ts';
import type { App, Desk, TestClient } from '../support/app.ts';
import { keepScreen, openPage, paneText, startBrowser } from '../support/browser.ts';
import type { Look } from '../support/browser.ts';
import { freePort } from '../support/net.ts';
import { waitFor } from '../support/processes.ts';
import { startSshd } from '../support/sshd.ts';
import type { TestSshd } from '../support/sshd.ts';

let browser: Browser;
let sshd: TestSshd;
let desk: Desk;
let app: App;
let assistant: TestClient;
let faults: string[] = [];
let made = 0;

beforeAll(async () => {
  [browser, sshd, desk] = await Promise.all([startBrowser(), startSshd(), createDesk()]);
  app = await startApp(desk, { WEB_PORT: String(await freePort()), HOST_KEY_POLICY: 'accept-new' });
  assistant = await tcpClient(app.run, 'claude-code');
});
afterAll(async () => {
  await assistant.close();
  await browser.close();
  await desk.close();
  await sshd.stop();
});
afterEach(() => {
  expect(faults).toEqual([]);
});

/** The assistant opens a session of its own, closed at the end of the test. */
async function session(): Promise<string> {
  made += 1;
  const name = `live-${made}`;
  const { account } = sshd;
  const answer = await assistant.callTool('ssh_connect', {
    name,
    host: sshd.host,
    port: sshd.port,
    credentials: { username: account.name, keyFile: account.keyFile },
  });
  expect(answer.isError ?? false).toBe(false);
  onTestFinished(async () => void (await assistant.callTool('ssh_disconnect', { sessionName: name })));
  return name;
}

const exec = (sessionName: string, command: string, more: object = {}) =>
  assistant.callTool('ssh_exec', { sessionName, command, ...more });

/** Opens the page of a session with a token typed into the page, as a person does. */
async function openAs(role: 'viewer' | 'operator', name: string, look: Look = {}): Promise<Page> {
  const { page, faults: found } = await openPage(browser, look);
  faults = found;
  await page.goto(new URL(`/session/${name}`, app.run.monitorUrl).href);
  await page.getByLabel('Token').fill(app.run.tokens[role]);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  return page;
}

async function openLink(name: string): Promise<Page> {
  const answer = await assistant.callTool('ssh_get_session_url', { sessionName: name });
  const url = /https?:\/\/[^"\s]+/.exec(JSON.stringify(answer.structuredContent))?.[0] ?? '';
  const { page, faults: found } = await openPage(browser);
  faults = found;
  await page.goto(url);
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  return page;
}

const text = async (page: Page, name: string, lane: 'commands' | 'terminal' = 'commands'): Promise<string> =>
  (await paneText(page, name, lane)) ?? '';

const shows = (page: Page, name: string, part: string, lane: 'commands' | 'terminal' = 'commands'): Promise<void> =>
  waitFor(`${name} to show ${part}`, async () => (await text(page, name, lane)).includes(part));

describe('commands of an assistant', () => {
  it('FC23 appear live and whole, the same for one who watches, one who comes late, and one with a link', async () => {
    const name = await session();
    const page = await openAs('operator', name);
    await exec(name, "printf '\\342\\202'; sleep 0.2; printf '\\254 \\360\\237'; sleep 0.2; printf '\\230\\200\\n'");
    await exec(name, 'echo to stderr >&2; echo to stdout; (exit 3)');
    await exec(name, "seq 1 3000; printf 'no newline at the end'");
    await exec(name, 'echo last');
    await shows(page, name, '\nlast');
    const live = await text(page, name);
    expect(live).toContain('€ 😀');
    expect(live).toContain('to stderr');
    expect(live).toContain(
      `${Array.from({ length: 3000 }, (_, index) => index + 1).join('\n')}\nno newline at the end`,
    );
    expect(live).not.toContain('\ufffd');
    await page.locator('.block-meta', { hasText: 'exit 0' }).first().waitFor();
    const late = await openAs('viewer', name);
    const linked = await openLink(name);
    for (const other of [late, linked]) {
      await shows(other, name, '\nlast');
      expect(await text(other, name)).toBe(live);
    }
    await keepScreen(page, 'live-commands');
  });

  it('FC48 shows the end of a flood, says what it left out, and answers keys meanwhile', async () => {
    const name = await session();
    const page = await openAs('operator', name);
    const flood = exec(name, 'yes 0123456789abcdef | head -c 60000000; echo; echo flood is over');
    await shows(page, name, '0123456789abcdef');
    const before = Date.now();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    expect(Date.now() - before).toBeLessThan(3000);
    await page.keyboard.press('Escape');
    const result = await flood;
    expect(result.structuredContent).toMatchObject({ status: 'exited', exitCode: 0 });
    await waitFor('the end of the flood', async () => (await text(page, name)).includes('flood is over'), 60_000);
  });

  it('cannot draw over the headers of others or forge a block', async () => {
    const name = await session();
    const page = await openAs('operator', name);
    await exec(name, 'echo harmless');
    await exec(
      name,
      "printf '\\033[2J\\033[H\\033[3Jspoofed\\033]7719;guess;start;c-aaaaaaaaaaaa\\007\\033]0;title\\007\\n'",
    );
    await shows(page, name, '\nspoofed');
    const seen = await text(page, name);
    expect(seen).toContain('echo harmless\nharmless');
    expect(await page.title()).toBe('Patchbay');
    await waitFor('two blocks', async () => (await page.locator('.block-meta').count()) === 2);
  });
});

describe('taking over', () => {
  it('stops the assistant at once, runs the person’s command, and the note reaches the assistant', async () => {
    const name = await session();
    const page = await openAs('operator', name);
    await exec(name, 'cd /tmp; export SEEN=yes');
    await page.keyboard.press('F8');
    await page.getByText('You are driving').waitFor();
    const refused = await exec(name, 'echo never');
    expect(JSON.stringify(refused)).toContain('HUMAN_IN_CONTROL');
    const prompt = page.getByRole('textbox', { name: `Run a command on ${name}` });
    await prompt.fill('echo "$PWD $SEEN"');
    await prompt.press('Enter');
    await shows(page, name, '/tmp yes');
    await page.locator('.block-meta', { hasText: 'You' }).waitFor();
    await page.keyboard.press('F8');
    await page.getByLabel('Note for the assistant').fill('I looked around');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: `Take over ${name}` }).waitFor();
    const next = await exec(name, 'echo again');
    expect(JSON.stringify(next.structuredContent)).toContain('I looked around');
    expect(await text(page, name)).not.toContain('never');
  });

  it('shows what waits while the person drives, lets it wait, and takes it out', async () => {
    const name = await session();
    const page = await openAs('operator', name);
    const running = exec(name, 'echo begun; sleep 300');
    await shows(page, name, 'begun');
    const queued = await exec(name, 'echo queued', { waitSeconds: 0 });
    expect(queued.structuredContent).toMatchObject({ status: 'queued' });
    const strip = page.getByRole('list', { name: `Waiting on ${name}` });
    await strip.getByText('echo queued').waitFor();
    await page.keyboard.press('F8');
    await page.getByText('You are driving').waitFor();
    await page.keyboard.press('Control+.');
    expect((await running).structuredContent).toMatchObject({ status: 'cancelled' });
    await strip.getByRole('button', { name: 'Take out' }).click();
    await strip.waitFor({ state: 'detached' });
    expect(await text(page, name)).not.toContain('\nqueued');
  });

  it('pauses and resumes all assistants', async () => {
    const name = await session();
    const page = await openAs('operator', name);
    await page.getByRole('button', { name: 'Pause all' }).click();
    await page.getByText('All assistants are paused.').waitFor();
    expect(JSON.stringify(await exec(name, 'true'))).toContain('PAUSED');
    await page.getByRole('button', { name: 'Resume all' }).click();
    await page.getByText('All assistants are paused.').waitFor({ state: 'detached' });
    expect((await exec(name, 'true')).isError ?? false).toBe(false);
  });

  it('cancels what runs', async () => {
    const name = await session();
    const page = await openAs('operator', name);
    const running = exec(name, 'echo begun; sleep 300');
    await shows(page, name, 'begun');
    await page.locator('.block-meta').getByRole('button', { name: 'Cancel' }).click();
    expect((await running).structuredContent).toMatchObject({ status: 'cancelled' });
    await page.locator('.block-meta', { hasText: 'cancelled' }).waitFor();
  });
});

describe('the terminal', () => {
  it('takes the person’s keys, shows the same to who watches, and FC49 answers a query once', async () => {
    const name = await session();
    const page = await openAs('operator', name);
    await page.getByRole('radio', { name: 'Terminal' }).click();
    await page.getByRole('button', { name: 'Take over and open a terminal' }).click();
    await page.getByText(`Keys go to ${name}.`).waitFor();
    const watcher = await openAs('viewer', name);
    await watcher.getByRole('radio', { name: 'Terminal' }).click();
    const keys = page.locator('.terminal-pane textarea');
    await keys.focus();
    await page.keyboard.type("PS1='ready> '; clear\r");
    await shows(page, name, 'ready>', 'terminal');
    await page.keyboard.type(
      "printf '\\033[6n\\033[c'; IFS= read -rs -t 1 -N 400 got; printf '%q\\n' \"$got\" | tr R @\r",
    );
    await waitFor('the answers', async () => /\$'.*@.*'/.test(await text(page, name, 'terminal')), 15_000);
    await watcher.reload();
    await watcher.getByRole('radio', { name: 'Terminal' }).click();
    await page.keyboard.type('echo clean "prompt"\r');
    await shows(page, name, '\nclean prompt', 'terminal');
    const seen = await text(page, name, 'terminal');
    expect(seen.match(/\[\d+;\d+@/g)).toHaveLength(1);
    expect(seen).toContain('ready> echo clean "prompt"\nclean prompt');
    await waitFor('the watcher to see it', async () =>
      (await text(watcher, name, 'terminal')).includes('\nclean prompt'),
    );
    await watcher.locator('.terminal-pane textarea').focus();
    await watcher.keyboard.type('echo intruder\r');
    await page.keyboard.type('echo done\r');
    await shows(page, name, '\ndone', 'terminal');
    expect(await text(page, name, 'terminal')).not.toContain('intruder');
    await keepScreen(page, 'live-terminal');
  });

  it('has the size of the driver’s pane', async () => {
    const name = await session();
    const page = await openAs('operator', name, { width: 1440, height: 900 });
    await page.getByRole('radio', { name: 'Terminal' }).click();
    await page.getByRole('button', { name: 'Take over and open a terminal' }).click();
    await page.getByText(`Keys go to ${name}.`).waitFor();
    await page.locator('.terminal-pane textarea').focus();
    const size = async (): Promise<string> => {
      await page.keyboard.type("clear; stty size | sed 's/^/size /'\r");
      await waitFor('a size', async () => /^size \d+ \d+/m.test(await text(page, name, 'terminal')));
      return /^size (\d+ \d+)/m.exec(await text(page, name, 'terminal'))?.[1] ?? '';
    };
    await waitFor('a pane wider than the first size', async () => Number((await size()).split(' ')[1]) > 100, 15_000);
    const wide = await size();
    await page.setViewportSize({ width: 1000, height: 600 });
    await waitFor('another size', async () => (await size()) !== wide, 15_000);
  });
});

describe('the way in', () => {
  it('needs a token, refuses a wrong one, and a viewer has no way to act', async () => {
    const name = await session();
    const { page } = await openPage(browser);
    const answer = await page.goto(app.run.monitorUrl);
    expect(answer?.status()).toBe(401);
    await page.getByLabel('Token').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('This token is not valid.').waitFor();
    await page.getByLabel('Token').fill(app.run.tokens.viewer);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: new RegExp(name) }).waitFor();
    expect(await page.getByRole('button', { name: 'Pause all' }).count()).toBe(0);
  });

  it('ends when the session of a link is closed', async () => {
    const name = await session();
    const page = await openLink(name);
    await assistant.callTool('ssh_disconnect', { sessionName: name });
    await page.getByRole('heading', { name: 'This session is closed' }).waitFor();
  });
});
