// A gigabyte of random bytes through the real program: exact, with flat memory, and gone from the disk afterwards.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { useAssistant } from '../../support/assistant.ts';
import { waitFor } from '../../support/processes.ts';
import { readRunFile } from '../../../src-main/core/config/run-file.ts';

const here = useAssistant();
const BYTES = 1024 ** 3;
/** Resident memory may grow by this much. */
const MEMORY_BYTES = 64 * 1024 ** 2;

const residentBytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

it('1 GiB is stored exactly while memory stays flat', { timeout: 300_000 }, async () => {
  await here.ask('ssh_connect', here.target('big'));
  const pid = (await readRunFile(here.desk.dataDir))?.pid ?? 0;
  // Warm: buffers and compiled code of a first large output are not its cost.
  await here.ask('ssh_exec', { sessionName: 'big', command: 'head -c 50000000 /dev/urandom' });
  const before = residentBytes(pid);
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, residentBytes(pid))), 50);
  const command = `head -c ${BYTES} /dev/urandom | tee >(sha256sum | cut -d' ' -f1 >~/sum)`;
  const begun = await here.ask('ssh_exec', { sessionName: 'big', command, waitSeconds: 50 });
  const commandId = String(begun['commandId']);
  const read = (args: object) => here.ask('ssh_command_output', { sessionName: 'big', commandId, ...args });
  await waitFor('its end', async () => (await read({ limit: 1 }))['status'] === 'exited', 200_000);
  clearInterval(watch);
  expect(await read({ limit: 1 })).toMatchObject({ exitCode: 0, stdoutBytes: BYTES });
  expect(most - before, 'growth of resident memory in bytes').toBeLessThan(MEMORY_BYTES);
  const file = spoolFiles().find((name) => name.includes(commandId)) ?? '';
  const hash = createHash('sha256');
  for await (const piece of fs.createReadStream(file)) hash.update(piece as Buffer);
  const sum = await here.ask('ssh_exec', { sessionName: 'big', command: 'cat ~/sum' });
  expect(sum['stdout']).toBe(`${hash.digest('hex')}\n`);
  // What the tool reads is what is in the file, at any offset.
  for (const offset of [0, 12_345_678, BYTES / 2 + 1, BYTES - 1000]) {
    const part = await read({ offset, limit: 1000, encoding: 'base64' });
    expect(Buffer.from(String(part['output']), 'base64').equals(bytesAt(file, offset))).toBe(true);
  }
  await here.ask('ssh_disconnect', { sessionName: 'big' });
  expect(spoolFiles()).toEqual([]);
});

function spoolFiles(): readonly string[] {
  const folder = path.join(here.desk.dataDir, 'spool');
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.map((name) => path.join(folder, name)).filter((name) => fs.statSync(name).isFile());
}

function bytesAt(file: string, offset: number): Buffer {
  const bytes = Buffer.alloc(1000);
  const handle = fs.openSync(file, 'r');
  fs.readSync(handle, bytes, 0, 1000, offset);
  fs.closeSync(handle);
  return bytes;
}
