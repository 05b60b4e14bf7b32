// Every screen of the views, drawn from scripted sessions in real Chromium, with a picture of each kept.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { keepScreen, openPage, startBrowser } from '../support/browser.ts';
import { FakeGateway } from '../support/fake-gateway.ts';
import { busyDay, giveSettings, quietState } from '../support/scenes.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

describe.each(['dark', 'light'] as const)('screens in the %s theme', (theme) => {
  it('shows a session with its commands and what needs the person', async () => {
    const gateway = busyDay();
    const address = await gateway.listen();
    const { page, faults } = await openPage(browser, { theme });
    await page.goto(`${address}/session/web-1`);
    await page.getByText('journalctl -fu nginx').first().waitFor();
    await page.getByText('exit 1').waitFor();
    await keepScreen(page, `session-${theme}`);
    expect(faults).toEqual([]);
    await gateway.close();
  });

  it('shows a terminal that the person drives', async () => {
    const gateway = busyDay();
    const address = await gateway.listen();
    const { page, faults } = await openPage(browser, { theme });
    await page.goto(`${address}/session/db-1`);
    await page.getByRole('radio', { name: 'Terminal' }).click();
    await page.getByText('checkpointer').waitFor();
    await keepScreen(page, `terminal-${theme}`);
    expect(faults).toEqual([]);
    await gateway.close();
  });

  it('shows the first run', async () => {
    const gateway = new FakeGateway(quietState());
    const address = await gateway.listen();
    const { page, faults } = await openPage(browser, { theme });
    await page.goto(address);
    await page.getByRole('heading', { name: 'Nothing is plugged in yet' }).waitFor();
    await keepScreen(page, `first-run-${theme}`);
    expect(faults).toEqual([]);
    await gateway.close();
  });

  it('shows each page of the settings', async () => {
    const gateway = new FakeGateway(quietState());
    giveSettings(gateway);
    const address = await gateway.listen();
    const { page, faults } = await openPage(browser, { theme });
    await page.goto(address);
    await page.getByRole('button', { name: 'Settings' }).click();
    for (const name of ['Assistants', 'General', 'Appearance', 'Sessions', 'Monitor page', 'Shortcuts', 'About']) {
      await page.getByRole('navigation', { name: 'Settings' }).getByRole('button', { name }).click();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      await keepScreen(page, `settings-${name.toLowerCase().replace(' ', '-')}-${theme}`);
    }
    expect(faults).toEqual([]);
    await gateway.close();
  });
});

describe('screens for other states', () => {
  it('shows the dialogs', async () => {
    const gateway = busyDay();
    const address = await gateway.listen();
    const { page } = await openPage(browser);
    await page.goto(`${address}/session/web-1`);
    await page.getByText('exit 1').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('web');
    await keepScreen(page, 'palette');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Alt+n');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText('Enter a host name').waitFor();
    await keepScreen(page, 'connect');
    await page.keyboard.press('Escape');
    await page.keyboard.press('F8');
    await page.getByText('You are driving').waitFor();
    await page.keyboard.press('F8');
    await page.getByRole('heading', { name: 'Hand back web-1' }).waitFor();
    await keepScreen(page, 'hand-back');
    await gateway.close();
  });

  it('shows a lost connection, a pause and a lost line', async () => {
    const gateway = busyDay();
    const address = await gateway.listen();
    const { page } = await openPage(browser);
    await page.goto(`${address}/session/edge-eu`);
    await page.getByText('The host does not answer').first().waitFor();
    await page.getByRole('button', { name: 'Pause all' }).click();
    await page.getByText('All assistants are paused.').waitFor();
    await keepScreen(page, 'lost-and-paused');
    await gateway.close();
    await page.getByText('Reconnecting to Patchbay.').waitFor();
    await keepScreen(page, 'line-lost');
  });

  it('shows the way in, and a wrong token', async () => {
    const gateway = new FakeGateway(quietState());
    gateway.token = 'right-token';
    const address = await gateway.listen();
    const { page } = await openPage(browser);
    await page.goto(address);
    await page.getByLabel('Token').fill('wrong');
    await page.getByRole('button', { name: 'Open Patchbay' }).click();
    await page.getByText('This token is not valid.').waitFor();
    await keepScreen(page, 'login');
    await page.getByLabel('Token').fill('right-token');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Nothing is plugged in yet' }).waitFor();
    await gateway.close();
  });

  it('shows one area at a time on a phone', async () => {
    const gateway = busyDay();
    const address = await gateway.listen();
    const { page } = await openPage(browser, { width: 390, height: 844 });
    await page.goto(address);
    await page.getByRole('button', { name: /db-1/ }).waitFor();
    await keepScreen(page, 'narrow-list');
    await page.getByRole('button', { name: /web-1/ }).first().click();
    await page.getByText('exit 1').waitFor();
    await keepScreen(page, 'narrow-session');
    await page.getByRole('button', { name: /Needs you/ }).click();
    await page.getByRole('button', { name: 'Trust this key' }).waitFor();
    await keepScreen(page, 'narrow-needs');
    await gateway.close();
  });

  it('shows the window in its usual size', async () => {
    const gateway = busyDay();
    const address = await gateway.listen();
    const { page } = await openPage(browser, { width: 1200, height: 800, theme: 'light' });
    await page.goto(`${address}/session/web-1`);
    await page.getByText('exit 1').waitFor();
    await keepScreen(page, 'window-1200');
    await gateway.close();
  });
});
