// Debian's Chromium under Playwright, and pages of the views in it.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

const CHROMIUM = process.env['PATCHBAY_CHROMIUM'] ?? '/usr/bin/chromium';
/** Where pictures of screens are kept; they are output, never compared. */
const SCREENS = path.resolve(import.meta.dirname, '../../test-results/screens');

/** Starts the browser; the caller closes it. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--font-render-hinting=none'] });
}

/** How a page looks at the view. */
export interface Look {
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
}

/** Opens a page of its own, closed at the end of the test; every fault that a script of it throws is collected. */
export async function openPage(browser: Browser, look: Look = {}): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({
    colorScheme: look.theme ?? 'dark',
    viewport: { width: look.width ?? 1440, height: look.height ?? 900 },
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (fault) => faults.push(String(fault)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('Failed to load resource')) faults.push(message.text());
  });
  return { page, faults };
}

/** Keeps a picture of the page. */
export async function keepScreen(page: Page, name: string): Promise<void> {
  await mkdir(SCREENS, { recursive: true });
  await page.screenshot({ path: path.join(SCREENS, `${name}.png`) });
}

/** What a pane's terminal holds, by the handle that pages have under automation. */
export function paneText(page: Page, session: string, lane: 'commands' | 'terminal'): Promise<string | undefined> {
  return page.evaluate(
    ([name, which]) => {
      const handle = (window as unknown as { __patchbayTest: { text(n: string, l: string): string | undefined } })
        .__patchbayTest;
      return handle.text(name, which);
    },
    [session, lane] as const,
  );
}
