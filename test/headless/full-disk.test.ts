// A disk that fills up under the journal and gets room again, with the real program on a real small file system.
import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readRunFile } from '../../src-main/core/config/run-file.ts';
import { tcpClient } from '../support/app.ts';
import { waitFor } from '../support/processes.ts';
import { OUT, createDesk, readAll } from '../support/programs.ts';
import type { Desk } from '../support/programs.ts';
import { run } from '../support/run.ts';

const WAIT_MS = 40_000;
const CALLS = 60;
/** Mounts within its own mount namespace, fills most of it and becomes the program. */
const SCRIPT = `
  mount -t tmpfs -o size=64k,mode=700 none "$JOURNAL" || exit 9
  head -c 53248 /dev/zero > "$JOURNAL/filler"
  exec "$NODE" "$PROGRAM"`;

let desk: Desk;
beforeEach(async () => {
  desk = await createDesk();
});
afterEach(() => desk.close());

it('writes every event in order once there is room, and says both', async () => {
  const journal = path.join(desk.dataDir, 'journal');
  await mkdir(journal, { recursive: true, mode: 0o700 });
  const own = process.getuid?.() === 0 ? ['-m'] : ['-r', '-m'];
  const env = { ...desk.environment, JOURNAL: journal, NODE: process.execPath, PROGRAM: path.join(OUT, 'headless.js') };
  const child = spawn('unshare', [...own, 'sh', '-c', SCRIPT], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (stderr += piece));
  await waitFor('the program', async () => (await readRunFile(desk.dataDir))?.pid === child.pid, WAIT_MS);
  const client = await tcpClient(await desk.running());
  for (let call = 0; call < CALLS; call += 1) await client.callTool('ssh_list_sessions');
  expect(stderr).toContain('The journal cannot be written: the disk is full. Events wait in memory until it can be');

  const inside = `/proc/${child.pid}/root${journal}`;
  await run('nsenter', [
    '-t',
    String(child.pid),
    ...(own.includes('-r') ? ['-U'] : []),
    '-m',
    'rm',
    `${journal}/filler`,
  ]);
  await waitFor(
    'the journal to be written',
    () => stderr.includes('The journal is written again; nothing is lost'),
    WAIT_MS,
  );
  const text = await readAll(inside);
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; callId?: string });
  const ids = (type: string): (string | undefined)[] =>
    lines.filter((line) => line.type === type).map(({ callId }) => callId);
  expect(new Set(ids('tool.started')).size).toBe(CALLS);
  expect(ids('tool.started')).toHaveLength(CALLS);
  expect(ids('tool.ended')).toEqual(ids('tool.started'));
  await client.close();
});
