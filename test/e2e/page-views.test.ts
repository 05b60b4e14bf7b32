// How the views behave in real Chromium, against scripted sessions: what a person sees, presses and never loses.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { appError } from '../../src-shared/errors.ts';
import { openPage, paneText, startBrowser } from '../support/browser.ts';
import type { Look } from '../support/browser.ts';
import { block, fail } from '../support/fake-gateway.ts';
import type { FakeGateway } from '../support/fake-gateway.ts';
import { waitFor } from '../support/processes.ts';
import { busyDay, commandView, hostKeyCard, sessionView } from '../support/scenes.ts';

let browser: Browser;
let gateway: FakeGateway;
let address: string;
let faults: string[];

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  gateway = busyDay();
  address = await gateway.listen();
});
afterEach(async () => {
  await gateway.close();
  expect(faults).toEqual([]);
});

async function open(path = '/session/web-1', look: Look = {}): Promise<Page> {
  const opened = await openPage(browser, look);
  faults = opened.faults;
  await opened.page.goto(address + path);
  await opened.page.getByRole('contentinfo').waitFor();
  return opened.page;
}

const commandsText = async (page: Page): Promise<string> => (await paneText(page, 'web-1', 'commands')) ?? '';
const callsOf = (name: string): unknown[] =>
  gateway.calls.filter(({ call }) => call === name).map(({ input }) => input);

describe('the Commands pane', () => {
  it('loses nothing and shows nothing twice when the line is cut', async () => {
    const page = await open();
    await page.getByText('exit 1').waitFor();
    gateway.append('web-1', 'before the cut\n');
    await waitFor('the line before the cut', async () => (await commandsText(page)).includes('before the cut'));
    gateway.cut();
    gateway.append('web-1', 'during the cut 漢字\n');
    await waitFor('the line during the cut', async () => (await commandsText(page)).includes('during the cut 漢字'));
    gateway.append('web-1', 'after the cut\n');
    await waitFor('the line after the cut', async () => (await commandsText(page)).includes('after the cut'));
    const text = await commandsText(page);
    expect(text.match(/the cut/g)).toHaveLength(3);
    expect(text.match(/git log --oneline -3/g)).toHaveLength(1);
    expect(callsOf('stream.open')).toHaveLength(2);
  });

  it('tells who ran what, how long and how it ended', async () => {
    const page = await open();
    const failed = page.locator('.block-meta', { hasText: 'exit 1' });
    await failed.waitFor();
    expect(await failed.innerText()).toContain('Claude Code');
    expect(await page.locator('.block-meta', { hasText: 'running' }).getByRole('button').allInnerTexts()).toContain(
      'Cancel',
    );
  });

  it('cancels the running command by button and by key', async () => {
    const page = await open();
    await page.locator('.block-meta').getByRole('button', { name: 'Cancel' }).click();
    await page.keyboard.press('Control+.');
    await waitFor('two calls', () => Promise.resolve(callsOf('command.cancel').length === 2));
    const running = gateway.script('web-1').commands.at(-1);
    expect(callsOf('command.cancel')[1]).toEqual({ session: 'web-1', commandId: running?.commandId });
  });

  it('stays where the person scrolled to, and offers what is new', async () => {
    const page = await open();
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index}\n`).join('');
    gateway.append('web-1', lines);
    await waitFor('the lines', async () => (await commandsText(page)).includes('line 199'));
    await page.locator('.commands-pane').hover();
    await page.mouse.wheel(0, -3000);
    await page.getByRole('button', { name: 'Latest output' }).waitFor();
    const command = commandView({ command: 'uptime' });
    gateway.emit('command.changed', { command });
    gateway.append('web-1', block(command, 'up 3 days\n'));
    await page.getByRole('button', { name: '1 new' }).click();
    await page.getByText('up 3 days').waitFor();
    await page.getByRole('button', { name: '1 new' }).waitFor({ state: 'detached' });
  });

  it('keeps the header of a long command in sight', async () => {
    const page = await open();
    gateway.append('web-1', 'more\n'.repeat(200));
    await page.locator('.sticky-header', { hasText: 'journalctl -fu nginx' }).waitFor();
  });

  it('finds text, forwards and backwards', async () => {
    const page = await open();
    await page.getByText('exit 1').waitFor();
    await page.keyboard.press('Control+f');
    await page.getByRole('textbox', { name: 'Find in output' }).fill('POST /upload');
    await page.getByText(/of 2/).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+Enter');
    await page.getByRole('textbox', { name: 'Find in output' }).fill('not there');
    await page.getByText('Not found').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('textbox', { name: 'Find in output' }).waitFor({ state: 'detached' });
  });

  it('copies a command and its output', async () => {
    const page = await open();
    const first = page.locator('.block-meta').first();
    await first.getByRole('button', { name: 'Copy command' }).click();
    await first.getByRole('button', { name: 'Copy command: copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('git log --oneline -3');
    await first.getByRole('button', { name: 'Copy output' }).click();
    await first.getByRole('button', { name: 'Copy output: copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('output\n');
  });

  it('copies selected text by key', async () => {
    const page = await open();
    await page.getByText('417629184').dblclick({ force: true });
    await page.keyboard.press('Control+Shift+C');
    await page.getByText('Selection copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('417629184');
  });

  it('says how much output was left out', async () => {
    gateway.script('web-1').transcript = '';
    const page = await open();
    await page.getByText('No command has run yet').waitFor();
    gateway.emit('stream.skipped', { streamId: 1, offset: 5_000_000, bytes: 5_000_000 });
    await waitFor('the notice', async () => (await commandsText(page)).includes('5.0 MB of output are not shown here'));
  });
});

describe('the palette', () => {
  it('goes to a session, runs an action, and finds a command that ran', async () => {
    const page = await open();
    await page.getByText('exit 1').waitFor();
    gateway.append('web-1', 'more\n'.repeat(300));
    await page.locator('.sticky-header').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('git log');
    await page.getByRole('option', { name: /git log/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.block-meta[data-command]', { hasText: '0.01 s' }).first().waitFor();
    await page.locator('.xterm-rows', { hasText: 'Raise upload limit' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('build-box');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'build-box', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('pause all assistants');
    await page.keyboard.press('Enter');
    await page.getByText('All assistants are paused.').waitFor();
    expect(callsOf('pause.set')).toEqual([{ state: 'input' }]);
  });
});

describe('taking over', () => {
  it('by key, with a prompt of one’s own, and hands back with a note that is never lost', async () => {
    gateway.answers.set('command.run', () => ({ commandId: 'c-bbbbbbbbbbbb' }));
    const page = await open();
    await page.keyboard.press('F8');
    const prompt = page.getByRole('textbox', { name: 'Run a command on web-1' });
    await prompt.fill('uptime');
    await prompt.press('Enter');
    await waitFor('the command to be sent', () => Promise.resolve(callsOf('command.run').length === 1));
    expect(callsOf('command.run')).toEqual([{ session: 'web-1', command: 'uptime' }]);
    expect(await prompt.inputValue()).toBe('');
    await page.keyboard.press('F8');
    await page.getByLabel('Note for the assistant').fill('nginx is fine now');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /Hand back web-1/ }).click();
    expect(await page.getByLabel('Note for the assistant').inputValue()).toBe('nginx is fine now');
    await page.keyboard.press('F8');
    await page.getByRole('button', { name: /Take over web-1/ }).waitFor();
    expect(callsOf('lease.handBack')).toEqual([{ session: 'web-1', note: 'nginx is fine now' }]);
  });

  it('from a row of the list leads to the prompt, and what still runs stays its own actor’s', async () => {
    const page = await open();
    const row = page.locator('.session-row[aria-current]');
    await row.click();
    await page.keyboard.press('F8');
    await page.getByRole('textbox', { name: 'Run a command on web-1' }).waitFor();
    await page.keyboard.type('uptime');
    expect(await page.getByRole('textbox', { name: 'Run a command on web-1' }).inputValue()).toBe('uptime');
    await page.getByText('You are driving').waitFor();
    expect(await row.locator('.sub').innerText()).toMatch(/^Claude Code\s+journalctl/);
  });

  it('gives a command back to the prompt when it was refused, and says why', async () => {
    gateway.answers.set('command.run', fail(appError('SESSION_LOST')));
    const page = await open();
    await page.keyboard.press('F8');
    const prompt = page.getByRole('textbox', { name: 'Run a command on web-1' });
    await prompt.fill('make all');
    await prompt.press('Enter');
    await page.getByText('The connection of this session is lost').waitFor();
    expect(await prompt.inputValue()).toBe('make all');
  });
});

describe('the Terminal pane', () => {
  it('types keys in order, keeps the page’s own, and FC49 never answers for itself', async () => {
    gateway.script('db-1').terminal += '\u001b[6n\u001b[c\u001b[>c\u001b]10;?\u0007\u001b[18t\u001bP$qm\u001b\\';
    const page = await open('/session/db-1');
    await page.keyboard.press('Alt+2');
    await page.getByText('checkpointer').waitFor();
    await page.locator('.terminal-pane textarea').focus();
    await page.keyboard.type('ls -l');
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Enter');
    const typed = (): string =>
      callsOf('terminal.input')
        .map((input) => Buffer.from((input as { base64: string }).base64, 'base64').toString())
        .join('');
    await waitFor('the keys', () => Promise.resolve(typed().endsWith('\r')));
    expect(typed()).toBe('ls -l\u000b\r');
    await page.keyboard.press('Control+Shift+K');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.terminal-pane textarea').focus();
    await page.keyboard.press('F6');
    expect(await page.evaluate(() => document.activeElement?.closest('.terminal-pane') === null)).toBe(true);
    expect(callsOf('terminal.resize').length).toBeGreaterThan(0);
  });

  it('lets nobody type who does not drive', async () => {
    const page = await open('/session/R1');
    await page.getByText('You are watching. F8 takes over').waitFor();
    await page.locator('.terminal-pane textarea').focus();
    await page.keyboard.type('reload\r');
    await page.keyboard.press('F8');
    await page.getByText('Keys go to R1.').waitFor();
    expect(callsOf('terminal.input')).toEqual([]);
  });

  it('says when there is none, and opens one', async () => {
    const page = await open('/session/build-box');
    await page.getByRole('radio', { name: 'Terminal' }).click();
    await page.getByRole('button', { name: 'Take over and open a terminal' }).click();
    await waitFor('the call', () => Promise.resolve(callsOf('terminal.open').length === 1));
    expect(callsOf('lease.take')).toEqual([{ session: 'build-box' }]);
  });
});

describe('what needs the person', () => {
  it('answers a host key only after the card has been there for a moment', async () => {
    const page = await open();
    const trust = page.getByRole('button', { name: 'Trust this key' });
    gateway.emit('cards.changed', { cards: [hostKeyCard({ id: 'k2', host: 'new.example.com' })] });
    await page.getByRole('heading', { name: 'new.example.com' }).waitFor();
    expect(await trust.isEnabled()).toBe(false);
    await trust.click();
    expect(callsOf('hostKey.answer')).toEqual([{ id: 'k2', trust: true }]);
  });

  it('folds away where it covers output, and comes back with the next card', async () => {
    const page = await open('/session/web-1', { width: 1200, height: 800 });
    const trust = page.getByRole('button', { name: 'Trust this key' });
    await page.getByRole('button', { name: 'Fold what needs you away' }).click();
    await trust.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Needs you 2' }).click();
    await trust.waitFor();
    await page.getByRole('button', { name: 'Fold what needs you away' }).click();
    gateway.emit('cards.changed', {
      cards: [...gateway.state.cards, hostKeyCard({ id: 'k3', host: 'third.example.com' })],
    });
    await page.getByRole('heading', { name: 'third.example.com' }).waitFor();
  });

  it.each([
    ['a wide window', 1440],
    ['a medium window', 1000],
    ['a phone', 390],
  ])('is in reach while Settings is open on %s', async (_name, width) => {
    gateway.state.cards = [];
    const page = await open('/session/web-1', { width, height: 800 });
    await page.keyboard.press('Control+,');
    await page.getByRole('navigation', { name: 'Settings' }).waitFor();
    gateway.emit('cards.changed', { cards: [hostKeyCard({ id: 'k4', host: 'late.example.com' })] });
    if (width < 720) await page.getByRole('button', { name: 'Needs you 1' }).click();
    await page.getByRole('heading', { name: 'late.example.com' }).waitFor();
    await page.getByRole('button', { name: 'Trust this key' }).click();
    expect(callsOf('hostKey.answer')).toEqual([{ id: 'k4', trust: true }]);
    await page.getByRole('navigation', { name: 'Settings' }).waitFor();
  });

  it('takes no room while nothing waits', async () => {
    const page = await open('/session/web-1', { width: 1280, height: 800 });
    const workWidth = async (): Promise<number> => (await page.locator('.work').boundingBox())?.width ?? 0;
    const beside = await workWidth();
    gateway.emit('cards.changed', { cards: [] });
    await waitFor('the room of the cards', async () => (await workWidth()) > beside + 300);
  });

  it('tells in the title how much waits', async () => {
    const page = await open();
    await waitFor('the number', async () => (await page.title()) === '(2) Patchbay');
    gateway.emit('cards.changed', { cards: [] });
    await waitFor('no number', async () => (await page.title()) === 'Patchbay');
  });

  it('dismisses a fault', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await waitFor('the call', () => Promise.resolve(callsOf('card.dismiss').length === 1));
  });

  it('never lets a session that an assistant opens take the person’s place', async () => {
    const page = await open();
    await page.getByRole('heading', { name: 'web-1', level: 1 }).waitFor();
    gateway.change(sessionView({ name: 'new-one' }));
    await page.getByRole('button', { name: /new-one/ }).waitFor();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('web-1');
  });
});

describe('roles', () => {
  it('shows a viewer the same view with fewer buttons', async () => {
    gateway.state.role = 'viewer';
    const page = await open();
    await page.getByText('exit 1').waitFor();
    const names = await page.getByRole('button').allInnerTexts();
    expect(
      names.filter((name) => /Take over|Pause all|Connect to a host|Trust|Refuse|Dismiss|^Cancel/.test(name)),
    ).toEqual([]);
    await page.keyboard.press('F8');
    await page.keyboard.press('Control+,');
    await page.getByRole('navigation', { name: 'Settings' }).waitFor();
    const pages = await page.getByRole('navigation', { name: 'Settings' }).getByRole('button').allInnerTexts();
    expect(pages).toEqual(['Appearance', 'Shortcuts', 'About']);
    expect(callsOf('lease.take')).toEqual([]);
  });

  it('shows only the session of a link', async () => {
    gateway.state.onlySession = 'web-1';
    gateway.state.sessions = gateway.state.sessions.filter(({ name }) => name === 'web-1');
    const page = await open();
    await page.getByText('exit 1').waitFor();
    expect(await page.getByRole('navigation', { name: 'Sessions' }).count()).toBe(0);
  });
});

describe('settings', () => {
  it('refuse what is not allowed before it is sent, and say when it takes effect', async () => {
    const page = await open();
    await page.keyboard.press('Control+,');
    await page.getByRole('button', { name: 'Sessions', exact: true }).click();
    const field = page.getByLabel('SSH time-out');
    await field.fill('0');
    await field.press('Enter');
    await page.getByText('Allowed: a whole number of seconds from 1 to 600.').waitFor();
    expect(callsOf('settings.set')).toEqual([]);
    await field.fill('45');
    await field.press('Enter');
    await page.getByText('Takes effect at the next start').waitFor();
    expect(callsOf('settings.set')).toEqual([{ name: 'SSH_TIMEOUT', value: 45 }]);
  });

  it('ask before tokens are renewed', async () => {
    const page = await open();
    await page.keyboard.press('Control+,');
    await page.getByRole('button', { name: 'Monitor page' }).click();
    await page.getByRole('button', { name: 'Show the viewer token' }).click();
    await page.getByText('v-0000').waitFor();
    await page.getByRole('button', { name: 'Renew all tokens' }).click();
    await page.getByRole('button', { name: 'Renew tokens', exact: true }).click();
    await waitFor('the call', () => Promise.resolve(callsOf('tokens.renew').length === 1));
  });
});

describe('connecting to a host', () => {
  it('keeps what was typed when the dialog is closed, and shows why it failed', async () => {
    gateway.answers.set('session.connect', fail(appError('AUTHENTICATION_FAILED')));
    const page = await open();
    await page.keyboard.press('Alt+n');
    await page.getByLabel('Host', { exact: true }).fill('new.example.com');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Alt+n');
    expect(await page.getByLabel('Host', { exact: true }).inputValue()).toBe('new.example.com');
    await page.getByRole('button', { name: 'Connect to new.example.com' }).click();
    await page.getByRole('alert').getByText('The server refused the login').waitFor();
    expect(callsOf('session.connect')).toEqual([
      { name: 'new', host: 'new.example.com', credentials: { keyFile: '~/.ssh/id_ed25519' } },
    ]);
  });

  it('asks about an unknown key right in the dialog', async () => {
    gateway.answers.set('session.connect', () => new Promise(() => undefined));
    const page = await open();
    await page.keyboard.press('Alt+n');
    await page.getByLabel('Host', { exact: true }).fill('fresh.example.com');
    await page.keyboard.press('Enter');
    gateway.emit('cards.changed', {
      cards: [hostKeyCard({ id: 'k9', sessionName: 'fresh', host: 'fresh.example.com' })],
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Trust this key' }).click();
    expect(callsOf('hostKey.answer')).toEqual([{ id: 'k9', trust: true }]);
  });
});
