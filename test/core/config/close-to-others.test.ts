// What other accounts could read in the data folder is found and closed to them.
import { chmod, mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { closeToOthers } from '../../../src-main/core/config/close-to-others.ts';
import { tempFolder } from '../../support/temp.ts';

it('closes files and folders, tells what they were, and leaves the profile inside and links alone', async () => {
  const folder = await tempFolder();
  const outside = path.join(await tempFolder(), 'outside');
  await mkdir(path.join(folder, 'journal'));
  await mkdir(path.join(folder, 'electron'));
  const modes = { 'tokens.json': 0o644, 'run.json': 0o600, 'journal/1.jsonl': 0o660, 'electron/Cookies': 0o644 };
  for (const [name, mode] of Object.entries(modes)) {
    await writeFile(path.join(folder, name), '');
    await chmod(path.join(folder, name), mode);
  }
  await chmod(path.join(folder, 'journal'), 0o705);
  await writeFile(outside, '');
  await chmod(outside, 0o644);
  await symlink(outside, path.join(folder, 'settings.json'));
  await chmod(path.join(folder, 'electron'), 0o700);
  await chmod(folder, 0o700);

  const found = await closeToOthers(folder);
  expect(found.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
    { name: 'journal', mode: '705', closed: true },
    { name: 'journal/1.jsonl', mode: '660', closed: true },
    { name: 'tokens.json', mode: '644', closed: true },
  ]);
  expect((await stat(path.join(folder, 'tokens.json'))).mode & 0o777).toBe(0o600);
  expect((await stat(path.join(folder, 'journal'))).mode & 0o777).toBe(0o700);
  expect((await stat(outside)).mode & 0o777).toBe(0o644);
  expect(await closeToOthers(folder)).toEqual([]);
});

it('finds nothing where there is no data folder', async () => {
  expect(await closeToOthers(path.join(await tempFolder(), 'none'))).toEqual([]);
});
