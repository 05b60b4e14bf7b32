// The built pages, whoever built them.
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';

const ASSETS = path.resolve(import.meta.dirname, '../../out/renderer/assets');

it('the pages are built for use, also by a test run: nothing of React’s development variant is in them', async () => {
  const scripts = (await readdir(ASSETS)).filter((name) => name.endsWith('.js'));
  const texts = await Promise.all(scripts.map((name) => readFile(path.join(ASSETS, name), 'utf8')));
  expect(scripts.length).toBeGreaterThan(1);
  expect(scripts.filter((_, index) => /jsxDEV|react-dom-client\.development/.test(texts[index] ?? ''))).toEqual([]);
});
