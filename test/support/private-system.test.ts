// Tests the private copy of the system that package tests install into.
import fs from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import type { PrivateSystem } from './private-system.ts';
import { startPrivateSystem } from './private-system.ts';
import { run } from './run.ts';

let system: PrivateSystem | undefined;
afterEach(() => system?.close());

it('keeps changes to itself, tells what they are, and has an ordinary user', async () => {
  system = await startPrivateSystem();
  const before = system.changedFiles();
  expect(before).toContain('/etc/passwd');
  await system.run('touch', ['/opt/patchbay-was-here', '/usr/bin/patchbay-was-here']);
  expect(system.changedFiles().filter((name) => !before.includes(name))).toEqual([
    '/usr/bin/patchbay-was-here',
    '/opt/patchbay-was-here',
  ]);
  expect(fs.existsSync('/opt/patchbay-was-here')).toBe(false);
  expect(fs.readFileSync('/etc/passwd', 'utf8')).not.toContain('desk:');
  const { command, args } = system.asUser('sh', ['-c', 'id -un; echo $HOME; touch ~/file']);
  expect((await run(command, args)).stdout).toBe(`desk\n${system.home}\n`);
  expect(system.processes()).toEqual([]);
});
