// The journal: order, search from the end, days and sizes, torn lines, faults.
import { mkdirSync } from 'node:fs';
import {
  appendFile,
  open,
  readFile,
  readdir,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { openJournal } from '../../../src-main/core/journal/journal.ts';
import type { JournalEvent } from '../../../src-shared/model/index.ts';
import { startCore } from '../../support/core.ts';
import { waitFor } from '../../support/processes.ts';
import { tempFolder } from '../../support/temp.ts';

const client = { kind: 'client', id: 'c1', name: 'Claude Code', version: '2' } as const;

function started(number: number, session = 'web-1'): JournalEvent {
  return {
    type: 'command.started',
    at: number,
    actor: client,
    session,
    commandId: 'c-aaaaaaaaaaaa',
    command: `echo "${number}" ü\n`,
    workingDir: null,
  };
}

const noFault = (text: string): never => {
  throw new Error(text);
};

it('stores events in order, one line each, for their owner only', async () => {
  const folder = path.join(await tempFolder(), 'journal');
  const journal = await openJournal({ folder, onFault: noFault, now: () => Date.UTC(2026, 10, 30) });
  await Promise.all([1, 2, 3].map((number) => journal.append(started(number))));
  const file = path.join(folder, '2026-11-30-0000.jsonl');
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([1, 2, 3].map((number) => started(number)));
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await journal.close();
});

it('has an event in the file by the time that append resolves', async () => {
  const folder = await tempFolder();
  const journal = await openJournal({ folder, onFault: noFault });
  for (let number = 0; number < 20; number += 1) {
    await journal.append(started(number));
    const [name = ''] = await readdir(folder);
    expect((await readFile(path.join(folder, name), 'utf8')).trimEnd().split('\n')).toHaveLength(number + 1);
  }
  await journal.close();
});

it('finds the newest first, by text in any case and by session, across files', async () => {
  const folder = await tempFolder();
  const journal = await openJournal({ folder, onFault: noFault, fileBytes: 1_000 });
  for (let number = 0; number < 30; number += 1) {
    await journal.append(started(number, number % 2 === 0 ? 'even' : 'odd'));
  }
  expect((await readdir(folder)).length).toBeGreaterThan(3);
  expect((await journal.search({ limit: 3 })).map(({ at }) => at)).toEqual([29, 28, 27]);
  expect((await journal.search({ session: 'even', limit: 2 })).map(({ at }) => at)).toEqual([28, 26]);
  expect((await journal.search({ text: 'ECHO "7"', limit: 9 })).map(({ at }) => at)).toEqual([7]);
  expect((await journal.search({ text: 'claude CODE', limit: 100 })).length).toBe(30);
  expect(await journal.search({ text: 'nothing like it', limit: 9 })).toEqual([]);
  await journal.close();
});

it('gives lines longer than one piece of a file whole', async () => {
  const folder = await tempFolder();
  const journal = await openJournal({ folder, onFault: noFault });
  const long = { ...started(1), command: 'ü'.repeat(400_000) };
  await journal.append(long);
  await journal.append(started(2));
  expect(await journal.search({ limit: 5 })).toEqual([started(2), long]);
  await journal.close();
});

it('goes on after a torn last line, on a line of its own', async () => {
  const folder = await tempFolder();
  const now = (): number => Date.UTC(2026, 10, 30);
  const file = path.join(folder, '2026-11-30-0000.jsonl');
  const first = await openJournal({ folder, onFault: noFault, now });
  await first.append(started(1));
  await first.close();
  await appendFile(file, JSON.stringify(started(2)).slice(0, 40));

  const second = await openJournal({ folder, onFault: noFault, now });
  await second.append(started(3));
  expect((await second.search({ limit: 9 })).map(({ at }) => at)).toEqual([3, 1]);
  expect((await readFile(file, 'utf8')).split('\n')).toHaveLength(4);
  await second.close();
});

it('begins a new file with the day', async () => {
  const folder = await tempFolder();
  let now = Date.UTC(2026, 10, 30, 23, 59);
  const journal = await openJournal({ folder, onFault: noFault, now: () => now });
  await journal.append(started(1));
  now = Date.UTC(2026, 11, 1, 0, 1);
  await journal.append(started(2));
  expect((await readdir(folder)).toSorted()).toEqual(['2026-11-30-0000.jsonl', '2026-12-01-0000.jsonl']);
  expect((await journal.search({ limit: 9 })).map(({ at }) => at)).toEqual([2, 1]);
  await journal.close();
});

it('skips events of a kind that it does not know', async () => {
  const folder = await tempFolder();
  await writeFile(
    path.join(folder, '2026-01-01-0000.jsonl'),
    `{"type":"from.the.future"}\n${JSON.stringify(started(1))}\n`,
  );
  const journal = await openJournal({ folder, onFault: noFault });
  expect(await journal.search({ limit: 9 })).toEqual([started(1)]);
  await journal.close();
});

it('tells once that it cannot write, never rejects, and writes what waited, in order, when it can again', async () => {
  const folder = path.join(await tempFolder(), 'journal');
  const told: string[] = [];
  const tell = (text: string): void => void told.push(text);
  const journal = await openJournal({ folder, onFault: tell, onBack: tell });
  await rm(folder, { recursive: true });
  await writeFile(folder, 'in the way');
  await journal.append(started(1));
  await journal.append(started(2));
  expect(told).toEqual(['The journal cannot be written: it is a file. Events wait in memory until it can be']);
  await rm(folder);
  await journal.append(started(3));
  expect((await journal.search({ limit: 9 })).map(({ at }) => at)).toEqual([3, 2, 1]);
  expect(told.slice(1)).toEqual(['The journal is written again; nothing is lost']);
  await journal.close();
});

/** A folder whose file of the day is the system's own full disk, and an ear for what is told. */
async function fullDisk() {
  const folder = await tempFolder();
  const file = path.join(folder, '2026-11-30-0000.jsonl');
  await symlink('/dev/full', file);
  const told: string[] = [];
  const tell = (text: string): void => void told.push(text);
  return { folder, file, told, tell, now: (): number => Date.UTC(2026, 10, 30) };
}

it('is written by itself once a full disk has room, with no further event', async () => {
  const { folder, told, tell, now, file } = await fullDisk();
  const journal = await openJournal({ folder, onFault: tell, onBack: tell, now, lookMs: 20 });
  for (const number of [1, 2, 3]) await journal.append(started(number));
  expect(told).toEqual(['The journal cannot be written: the disk is full. Events wait in memory until it can be']);
  await rm(file);
  await waitFor('the journal to be written', () => told.length > 1);
  expect((await journal.search({ limit: 9 })).map(({ at }) => at)).toEqual([3, 2, 1]);
  await journal.close();
});

it('counts what it could not keep, and says so', async () => {
  const { folder, told, tell, now, file } = await fullDisk();
  const line = Buffer.byteLength(JSON.stringify(started(1))) + 1;
  const journal = await openJournal({ folder, onFault: tell, onBack: tell, now, keptBytes: 2 * line });
  for (const number of [1, 2, 3, 4]) await journal.append(started(number));
  expect(told.slice(1)).toEqual(['The journal could not be written for so long that events are being lost']);
  await rm(file);
  await journal.append(started(5));
  expect(told.slice(2)).toEqual(['The journal is written again; 2 events are lost']);
  expect((await journal.search({ limit: 9 })).map(({ at }) => at)).toEqual([5, 2, 1]);
  await journal.close();
});

it('says at its end how much could not be stored', async () => {
  const folder = await tempFolder();
  const told: string[] = [];
  await symlink('/dev/full', path.join(folder, '2026-11-30-0000.jsonl'));
  const now = (): number => Date.UTC(2026, 10, 30);
  const journal = await openJournal({ folder, onFault: (text) => void told.push(text), now });
  await journal.append(started(1));
  await journal.close();
  expect(told.slice(1)).toEqual(['The journal could not be written to its end: one event is lost']);
});

it.each([
  ['deleted', (folder: string) => rm(folder, { recursive: true })],
  ['moved away', (folder: string) => rename(folder, `${folder}-old`)],
])('notices that its folder was %s, and brings what was written since it last looked', async (_how, exchange) => {
  const folder = path.join(await tempFolder(), 'journal');
  const told: string[] = [];
  const journal = await openJournal({ folder, onFault: (text) => void told.push(text), lookMs: 200 });
  await journal.append(started(1));
  await waitFor('a look', async () => (await readdir(folder)).length === 1);
  await exchange(folder);
  await journal.append(started(2));
  await waitFor('the journal to notice', () => told.length > 0);
  await journal.append(started(3));
  expect(told).toEqual(['The journal was deleted or moved while Patchbay runs; a new file is begun']);
  const left = (await journal.search({ limit: 9 })).map(({ at }) => at);
  expect(left.slice(0, 2)).toEqual([3, 2]);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  await journal.append(started(4));
  await journal.close();
  expect(told).toHaveLength(1);
});

it('notices that its file was emptied by another program', async () => {
  const folder = await tempFolder();
  const told: string[] = [];
  const journal = await openJournal({ folder, onFault: (text) => void told.push(text), lookMs: 20 });
  await journal.append(started(1));
  await truncate(path.join(folder, (await readdir(folder))[0] ?? ''), 0);
  await waitFor('the journal to notice', () => told.length > 0);
  expect(told).toEqual(['The journal was shortened by another program while Patchbay runs']);
  await journal.append(started(2));
  expect((await journal.search({ limit: 9 })).map(({ at }) => at)).toEqual([2]);
  await journal.close();
});

/** The files of a folder that this process has open. */
async function openFilesIn(folder: string): Promise<readonly string[]> {
  const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
  return (await Promise.all(links)).filter((target) => target.startsWith(folder));
}

it('leaves no file open that it could not begin', async () => {
  const folder = await tempFolder();
  const faults: string[] = [];
  const journal = await openJournal({ folder, onFault: (text) => faults.push(text) });
  const probe = await open(path.join(folder, 'probe'), 'w');
  const looks = vi.spyOn(Object.getPrototypeOf(probe) as typeof probe, 'stat');
  await probe.close();
  looks.mockRejectedValue(new Error('EIO'));
  await journal.append(started(1));
  await journal.append(started(2));
  looks.mockRestore();
  expect(faults).toEqual(['The journal cannot be written: EIO. Events wait in memory until it can be']);
  expect(await openFilesIn(folder)).toEqual([]);
  await journal.append(started(3));
  expect(await openFilesIn(folder)).toHaveLength(1);
  expect(await journal.search({ limit: 9 })).toEqual([started(3), started(2), started(1)]);
  await journal.close();
});

it('has its fault in the log, too, once: without a window nobody sees the card', async () => {
  const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
  const running = await startCore({
    prepare: (dataDir) => {
      // Folders in the place of the files of today and tomorrow, should the test run over midnight.
      for (const at of [Date.now(), Date.now() + 86_400_000])
        mkdirSync(path.join(dataDir, 'journal', `${dayOf(at)}-0000.jsonl`), { recursive: true, mode: 0o700 });
    },
  });
  await running.core.journal.append(started(1));
  const errors = running.logged.filter((line) => line.includes('"level":"error"'));
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain('The journal cannot be written: it is a folder');
  await running.close();
});
