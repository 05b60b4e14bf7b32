// The program in the foreground: it ends with the npm that started it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, it } from 'vitest';
import { isRunning, waitFor } from '../support/processes.ts';

const CHILD = path.resolve(import.meta.dirname, '../../scripts/setup/child.mjs');
const PROGRAM = 'console.log(process.pid); setInterval(() => {}, 1000)';
const STARTER = `import(${JSON.stringify(CHILD)}).then((m) => m.runForeground(process.execPath, ['-e', process.env.PROGRAM]))`;

it('ends with the shell between npm and itself, which passes no signal on', async () => {
  const env = { ...process.env, PROGRAM, STARTER, NODE: process.execPath, npm_lifecycle_event: 'start' };
  // The last command keeps the shell from being replaced by Node.
  const shell = spawn('sh', ['-c', '"$NODE" -e "$STARTER"; true'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [first] = (await once(shell.stdout, 'data')) as [Buffer];
  const pid = Number(first.toString());
  expect(isRunning(pid)).toBe(true);
  shell.kill('SIGTERM');
  await waitFor('the program to end', () => !isRunning(pid), 5000);
});
