// The Node that an entry names: the one that started us, else the first in PATH.
import { chmod, mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { findNode } from '../../../src-main/core/config/find-node.ts';
import { tempFolder } from '../../support/temp.ts';

it('is the one that started us, by its real name, else the first in PATH that may be run', async () => {
  const root = await realpath(await tempFolder());
  for (const name of ['real', 'plain', 'first']) await mkdir(path.join(root, name));
  const node = path.join(root, 'real', 'node');
  await writeFile(node, '');
  await chmod(node, 0o755);
  await writeFile(path.join(root, 'plain', 'node'), '');
  await symlink(node, path.join(root, 'first', 'node'));
  const PATH = ['relative', `${root}/none`, `${root}/plain`, `${root}/first`].join(path.delimiter);
  expect(await findNode({ PATH })).toBe(node);
  expect(await findNode({ PATH, PATCHBAY_NODE: process.execPath })).toBe(await realpath(process.execPath));
  expect(await findNode({ PATH, PATCHBAY_NODE: 'node' })).toBe(node);
  expect(await findNode({})).toBeUndefined();
});
