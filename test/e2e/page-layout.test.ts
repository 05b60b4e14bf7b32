// What stays readable and in reach in real Chromium: at every width, and by keyboard and names alone.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { keepScreen, openPage, startBrowser } from '../support/browser.ts';
import type { Look } from '../support/browser.ts';
import type { FakeGateway } from '../support/fake-gateway.ts';
import { busyDay, sessionView } from '../support/scenes.ts';

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

describe('the header of a session', () => {
  it.each([
    ['a full window', 1280],
    ['a medium window', 1000],
    ['a small window', 720],
    ['a phone', 390],
  ])('keeps the name readable on %s', async (_name, width) => {
    const lease = gateway.state.sessions.find(({ name }) => name === 'web-1')?.lease;
    if (lease === undefined) throw new Error('web-1 is not in the scene');
    gateway.change(sessionView({ name: 'storage-lab-0123', lease }));
    for (const session of ['web-1', 'db-1', 'storage-lab-0123']) {
      const page = await open(`/session/${session}`, { width, height: 800 });
      const name = page.getByRole('heading', { name: session, level: 1 });
      await name.waitFor();
      expect(await name.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
      const ends = page.locator('.session-header > *:visible');
      const rights = await ends.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
      const header = await page.locator('.session-header').boundingBox();
      expect(Math.max(...rights)).toBeLessThanOrEqual((header?.x ?? 0) + (header?.width ?? 0));
      await keepScreen(page, `header-${session}-${width}`);
    }
  });
});

describe('access for everybody', () => {
  it('gives every control a name', async () => {
    const page = await open();
    await page.getByText('exit 1').waitFor();
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('button, input, textarea, select, a[href]')]
        .filter((element) => element.getClientRects().length > 0)
        .filter((element) => {
          const labels = element instanceof HTMLInputElement ? (element.labels?.length ?? 0) : 0;
          return (element.getAttribute('aria-label') ?? element.innerText).trim() === '' && labels === 0;
        })
        .map((element) => element.outerHTML),
    );
    expect(nameless).toEqual([]);
  });

  it('reaches sessions, panes and cards by keyboard alone', async () => {
    const page = await open();
    await page.getByText('exit 1').waitFor();
    const area = () => page.evaluate(() => document.activeElement?.closest('[data-area]')?.getAttribute('aria-label'));
    await page.keyboard.press('F6');
    expect(await area()).toBe('Sessions');
    await page.keyboard.press('F6');
    await page.keyboard.press('F6');
    expect(await area()).toBe('Needs you');
    await page.locator('.session-row[tabindex="0"]').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'db-1', level: 1 }).waitFor();
    await page.keyboard.press('Alt+ArrowUp');
    await page.getByRole('heading', { name: 'web-1', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/session/web-1');
  });

  it.each([
    ['a phone', 390, 844],
    ['200 % zoom of a small window', 600, 400],
  ])('never scrolls sideways on %s', async (_name, width, height) => {
    const page = await open('/session/web-1', { width, height });
    await page.getByRole('heading', { name: 'web-1', level: 1 }).waitFor();
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(sideways).toBeLessThanOrEqual(0);
    const outside = await page.evaluate(
      () =>
        [...document.querySelectorAll('button')]
          .map((button) => button.getBoundingClientRect())
          .filter((box) => box.width > 0 && box.right > window.innerWidth + 1).length,
    );
    expect(outside).toBe(0);
  });
});
