// Bars of the agent lane: one command, 100 MiB, many sessions, connect; each beside raw ssh2 or the ssh program.
import { createHash } from 'node:crypto';
import type { Core } from '../../src-main/core/core.ts';
import type { Session } from '../../src-main/core/sessions/port.ts';
import type { Actor } from '../../src-shared/model/index.ts';
import type { TestSshd } from '../support/sshd.ts';
import { connectRaw, execRaw, sha256OfFile, sshCat } from './raw-ssh2.ts';
import { inTurns, median, timed } from './statistics.ts';
import type { Row } from './statistics.ts';

/** Whoever asks in the benchmark. */
export const ACTOR: Actor = { kind: 'client', id: 'bench', name: 'bench', version: '1' };
/** Blocks that count, and runs in each. */
export const BLOCKS = 6;
export const BLOCK_SIZE = 100;
const CONNECT_ROUNDS = 25;
const BIG_ROUNDS = 3;
const TIMEOUT_MS = 600_000;

/** Opens a session on the bench server. */
export function openSession(core: Core, sshd: TestSshd, name: string): Promise<Session> {
  const credentials = { username: sshd.account.name, keyFile: sshd.account.keyFile };
  const request = { name, host: sshd.host, port: sshd.port, credentials };
  return core.sessions.connect(request, ACTOR, new AbortController().signal);
}

/** Runs a command that has to succeed. */
export async function runToEnd(session: Session, command: string): Promise<void> {
  const run = session.run({ command, timeoutMs: TIMEOUT_MS }, ACTOR);
  await run.ended;
  const { status, exitCode } = run.view();
  if (status !== 'exited' || exitCode !== 0) throw new Error(`${command}: ${status}, exit code ${exitCode}`);
}

/** `true` through the lane, to raw ssh2 on its own kept connection. */
export async function commandBar(core: Core, sshd: TestSshd): Promise<Row> {
  const session = await openSession(core, sshd, 'bench-true');
  const raw = await connectRaw(sshd);
  const pair = { ours: () => runToEnd(session, 'true'), theirs: () => execRaw(raw, 'true') };
  const { ours, theirs } = await inTurns(pair, BLOCKS, BLOCK_SIZE);
  raw.end();
  await core.sessions.disconnect('bench-true', ACTOR, 'bench');
  return ratio('`true` through the lane, p50, to raw ssh2 exec', median(ours), median(theirs), 0.12);
}

/** Connect with a shell that is ready, to raw ssh2 connect plus one exec of `pwd`; both in turns. */
export async function connectBar(core: Core, sshd: TestSshd): Promise<Row> {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < CONNECT_ROUNDS; round += 1) {
    ours.push(await timed(() => openSession(core, sshd, 'bench-connect')));
    await core.sessions.disconnect('bench-connect', ACTOR, 'bench');
    theirs.push(
      await timed(async () => {
        const raw = await connectRaw(sshd);
        await execRaw(raw, 'pwd');
        raw.end();
      }),
    );
  }
  return ratio('ssh_connect, p50, to raw ssh2 connect and one exec of pwd', median(ours), median(theirs), 1);
}

/** A file through the lane into the spool, to `ssh host cat` piped to wc; and the memory that it adds. */
export async function captureBars(core: Core, sshd: TestSshd, file: string, bytes: number): Promise<readonly Row[]> {
  const session = await openSession(core, sshd, 'bench-big');
  const expected = await sha256OfFile(file);
  const ours: number[] = [];
  const theirs: number[] = [];
  const memoryBefore = process.memoryUsage.rss();
  let memoryPeak = memoryBefore;
  const watch = setInterval(() => (memoryPeak = Math.max(memoryPeak, process.memoryUsage.rss())), 20);
  for (let round = 0; round < BIG_ROUNDS; round += 1) {
    ours.push(await timed(() => runToEnd(session, `cat ${file}`)));
    const { bytes: counted } = await sshTimed(sshd, file, theirs);
    if (counted !== bytes) throw new Error(`ssh counted ${counted} bytes`);
  }
  clearInterval(watch);
  const actual = await sha256OfLast(session);
  if (actual !== expected) throw new Error('sha256 differs');
  await core.sessions.disconnect('bench-big', ACTOR, 'bench');
  const addedMiB = (memoryPeak - memoryBefore) / 2 ** 20;
  return [
    ratio(`${bytes / 2 ** 20} MiB captured, sha256 equal, to ssh cat piped to wc`, median(ours), median(theirs), 1.2),
    {
      name: 'resident memory added by that',
      value: addedMiB,
      bar: 64,
      kind: 'max',
      unit: ' MiB',
      detail: `peak over ${BIG_ROUNDS} rounds`,
    },
  ];
}

async function sshTimed(sshd: TestSshd, file: string, times: number[]): Promise<{ bytes: number }> {
  let result = { bytes: 0 };
  times.push(await timed(async () => (result = await sshCat(sshd, file))));
  return result;
}

async function sha256OfLast(session: Session): Promise<string> {
  const last = session.commands().at(-1);
  if (last === undefined) throw new Error('no command');
  const stream = last.stream('stdout');
  const hash = createHash('sha256');
  for (let offset = 0; offset < stream.length;) {
    const piece = await stream.read(offset, 2 ** 20);
    hash.update(piece);
    offset += piece.length;
  }
  return hash.digest('hex');
}

const SESSIONS = 10;
const COMMANDS_EACH = 50;

/** Ten sessions with fifty commands each side by side: `true` to raw ssh2, `sleep 0.02` to one after another. */
export async function parallelBars(core: Core, sshd: TestSshd): Promise<readonly Row[]> {
  const names = Array.from({ length: SESSIONS }, (_, index) => `bench-p${index}`);
  const sessions = await Promise.all(names.map((name) => openSession(core, sshd, name)));
  const raws = await Promise.all(names.map(() => connectRaw(sshd)));
  const many = (one: () => Promise<unknown>) => repeat(COMMANDS_EACH, one);
  const ours = await timed(() => Promise.all(sessions.map((session) => many(() => runToEnd(session, 'true')))));
  const theirs = await timed(() => Promise.all(raws.map((raw) => many(() => execRaw(raw, 'true')))));
  const together = await timed(() =>
    Promise.all(sessions.map((session) => many(() => runToEnd(session, 'sleep 0.02')))),
  );
  const first = sessions[0];
  if (first === undefined) throw new Error('no session');
  const oneByOne = (await timed(() => many(() => runToEnd(first, 'sleep 0.02')))) * SESSIONS;
  for (const raw of raws) raw.end();
  await Promise.all(names.map((name) => core.sessions.disconnect(name, ACTOR, 'bench')));
  const count = SESSIONS * COMMANDS_EACH;
  return [
    atLeast(
      `${SESSIONS} sessions x ${COMMANDS_EACH} \`true\` in parallel, calls/s to raw ssh2`,
      theirs / ours,
      3,
      `${rate(count, ours)} to ${rate(count, theirs)}`,
    ),
    atLeast(
      'the same with `sleep 0.02`, to one after another',
      oneByOne / together,
      8,
      `${together.toFixed(0)} ms to ${oneByOne.toFixed(0)} ms`,
    ),
  ];
}

async function repeat(times: number, one: () => Promise<unknown>): Promise<void> {
  for (let round = 0; round < times; round += 1) await one();
}

/** A row that compares two times. */
export function ratio(name: string, oursMs: number, theirsMs: number, bar: number): Row {
  const detail = `${oursMs.toFixed(2)} ms to ${theirsMs.toFixed(2)} ms`;
  return { name, value: oursMs / theirsMs, bar, kind: 'max', unit: '', detail };
}

function atLeast(name: string, value: number, bar: number, detail: string): Row {
  return { name, value, bar, kind: 'min', unit: '', detail };
}

const rate = (count: number, ms: number): string => `${Math.round((count / ms) * 1000)}/s`;
