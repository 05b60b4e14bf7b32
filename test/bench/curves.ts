// Curves beside the bars: what size of output and number of sessions do, to raw ssh2 and to ssh on a shared connection.
import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Client } from 'ssh2';
import type { Core } from '../../src-main/core/core.ts';
import type { TestSshd } from '../support/sshd.ts';
import { ACTOR, openSession, runToEnd } from './lane-bars.ts';
import { connectRaw, execRaw, sshCat, sshOptions } from './raw-ssh2.ts';
import { median, timed } from './statistics.ts';
import type { Row } from './statistics.ts';

const MIB = 2 ** 20;
const SIZES_MIB: readonly (readonly [number, number])[] = [
  [1, 7],
  [10, 5],
  [100, 3],
  [1024, 1],
];
const COUNTS = [1, 10, 50];
const COMMANDS_EACH = 20;
const runProgram = promisify(execFile);

/** Output of 1, 10, 100 MiB and 1 GiB: time to `cat` through a shared ssh connection, memory that it adds, longest block of the loop. */
export async function sizeCurve(
  core: Core,
  sshd: TestSshd,
  folder: string,
  say: (line: string) => void,
): Promise<readonly Row[]> {
  const shared = await shareConnection(sshd, folder);
  const session = await openSession(core, sshd, 'curve-size');
  const rows: Row[] = [];
  say('Output size, to `ssh` on a shared connection, `cat` piped to `wc`:');
  for (const [size, rounds] of SIZES_MIB) {
    const file = path.join(folder, `curve-${size}`);
    await runProgram('sh', ['-c', `head -c ${size * MIB} /dev/urandom >'${file}'; chmod 644 '${file}'`]);
    const point = await measureSize({ core, sshd, session: session.name, file, rounds, shared: shared.options });
    await fs.rm(file);
    say(
      `  ${size} MiB: ${point.ratio.toFixed(2)} (${point.detail}), memory +${point.addedMiB.toFixed(0)} MiB, longest block of the event loop ${point.blockMs.toFixed(0)} ms`,
    );
    if (size === 1024) rows.push(mostMiB('resident memory added by 1 GiB', point.addedMiB));
    if (size === 100) rows.push(longestBlock('longest block of the event loop, 100 MiB output', point.blockMs));
  }
  await shared.close();
  await core.sessions.disconnect(session.name, ACTOR, 'bench');
  return rows;
}

interface SizePoint {
  readonly ratio: number;
  readonly detail: string;
  readonly addedMiB: number;
  readonly blockMs: number;
}

async function measureSize(what: {
  readonly core: Core;
  readonly sshd: TestSshd;
  readonly session: string;
  readonly file: string;
  readonly rounds: number;
  readonly shared: readonly string[];
}): Promise<SizePoint> {
  const session = what.core.sessions.get(what.session);
  const ours: number[] = [];
  const theirs: number[] = [];
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
  let blockNs = 0;
  for (let round = 0; round < what.rounds; round += 1) {
    // One of its own for each round: what lies between two would count as a block.
    const delay = monitorEventLoopDelay({ resolution: 2 });
    delay.enable();
    ours.push(await timed(() => runToEnd(session, `cat ${what.file}`)));
    delay.disable();
    blockNs = Math.max(blockNs, delay.max);
    theirs.push(await timed(() => sshCat(what.sshd, what.file, what.shared)));
  }
  clearInterval(watch);
  const [mine, other] = [median(ours), median(theirs)];
  const detail = `${mine.toFixed(0)} ms to ${other.toFixed(0)} ms`;
  return { ratio: mine / other, detail, addedMiB: (most - before) / MIB, blockMs: blockNs / 1e6 };
}

/** 1, 10 and 50 sessions: calls a second of each side, and what an idle session takes. */
export async function sessionCurve(core: Core, sshd: TestSshd, say: (line: string) => void): Promise<readonly Row[]> {
  say(`Sessions at once, ${COMMANDS_EACH} times \`true\` in each, calls/s to raw ssh2:`);
  for (const count of COUNTS) {
    const names = Array.from({ length: count }, (_, index) => `curve-${index}`);
    globalThis.gc?.();
    const before = process.memoryUsage.rss();
    for (const name of names) await openSession(core, sshd, name);
    globalThis.gc?.();
    const idleKiB = (process.memoryUsage.rss() - before) / 1024 / count;
    const raws: Client[] = [];
    for (const _ of names) raws.push(await connectRaw(sshd));
    const ours = await timed(() =>
      Promise.all(names.map((name) => many(() => runToEnd(core.sessions.get(name), 'true')))),
    );
    const theirs = await timed(() => Promise.all(raws.map((raw) => many(() => execRaw(raw, 'true')))));
    for (const raw of raws) raw.end();
    await Promise.all(names.map((name) => core.sessions.disconnect(name, ACTOR, 'bench')));
    const perSecond = (ms: number): string => `${Math.round((count * COMMANDS_EACH * 1000) / ms)}/s`;
    say(
      `  ${count}: ${(theirs / ours).toFixed(1)} times (${perSecond(ours)} to ${perSecond(theirs)}), ${idleKiB.toFixed(0)} KiB for an idle session`,
    );
  }
  return [];
}

async function many(one: () => Promise<unknown>): Promise<void> {
  for (let round = 0; round < COMMANDS_EACH; round += 1) await one();
}

/** Longest block of the event loop while a key of 400 rounds is unlocked for a login, against the bar of 100 ms. */
export async function unlockBar(core: Core, sshd: TestSshd, folder: string): Promise<Row> {
  const keyFile = path.join(folder, 'slow-key');
  await runProgram('ssh-keygen', ['-q', '-t', 'ed25519', '-a', '400', '-N', 'a long passphrase', '-f', keyFile]);
  sshd.authorize(sshd.account, await fs.readFile(`${keyFile}.pub`, 'utf8'));
  const delay = monitorEventLoopDelay({ resolution: 2 });
  delay.enable();
  const credentials = { username: sshd.account.name, keyFile, passphrase: 'a long passphrase' };
  const request = { name: 'curve-key', host: sshd.host, port: sshd.port, credentials };
  // The time-out is for servers; unlocking has its own.
  await core.sessions.connect(request, ACTOR, new AbortController().signal);
  delay.disable();
  await core.sessions.disconnect('curve-key', ACTOR, 'bench');
  return longestBlock('longest block of the event loop, login with a key of 400 rounds', delay.max / 1e6);
}

async function shareConnection(
  sshd: TestSshd,
  folder: string,
): Promise<{ options: readonly string[]; close: () => Promise<void> }> {
  const socket = path.join(folder, 'shared');
  const target = `${sshd.account.name}@${sshd.host}`;
  const options = ['-o', `ControlPath=${socket}`];
  await runProgram('ssh', [...sshOptions(sshd), ...options, '-o', 'ControlMaster=yes', '-f', '-N', target]);
  const close = async (): Promise<void> => {
    await runProgram('ssh', [...options, '-O', 'exit', target]);
  };
  return { options, close };
}

const mostMiB = (name: string, value: number): Row => ({
  name,
  value,
  bar: 64,
  kind: 'max',
  unit: ' MiB',
  detail: 'peak',
});

const longestBlock = (name: string, value: number): Row => ({
  ...{ name, value, bar: 100, kind: 'max', unit: ' ms' },
  detail: 'monitorEventLoopDelay',
});
