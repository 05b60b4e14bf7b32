// Random bytes on both streams, cut and mixed at random, with imitations of our own marks inside: results are exact.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { StreamName } from '../../../src-shared/model/index.ts';
import type { OpenExec } from '../../../src-main/core/lanes/port.ts';
import type { Command, Session } from '../../../src-main/core/sessions/port.ts';
import type { ExecChannel } from '../../../src-main/core/ssh/port.ts';
import { assistant, startCore } from '../../support/core.ts';
import { startLane } from '../../support/lane.ts';
import { createLocalAccount } from '../../support/local-shell.ts';
import { numbers, runSeed } from '../../support/random.ts';
import { startSshd } from '../../support/sshd.ts';

/** Runs in a local shell whose bytes are cut anew on their way, and through a server. */
const LOCAL_RUNS = 9_000;
const SERVER_RUNS = 1_200;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'patchbay-random-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

type Pick = (below: number) => number;

interface Script {
  readonly command: string;
  readonly expected: Readonly<Record<StreamName, Buffer>>;
  readonly exitCode: number;
}

/** Bytes that are hard for whoever looks for marks: their first byte, nonces of the right form, ends without starts. */
function piece(pick: Pick): Buffer {
  const word = Array.from({ length: 20 }, () => 'abcdefghijklmnopqrstuvwxyz234567'.charAt(pick(32))).join('');
  const last = String.fromCharCode([0x1c, 0x1d, 0x1e, 0x1f, 0x05, 0x06][pick(6)] ?? 0x1e);
  const kinds: readonly (() => Buffer)[] = [
    () => Buffer.from(Array.from({ length: pick(60) }, () => pick(256))),
    () => Buffer.from(`\u001e${word}${last}`),
    () => Buffer.from(`\u001e${word.slice(0, pick(20))}`),
    () => Buffer.from(`${'\u001e'.repeat(1 + pick(4))}${last}${pick(256)}${last}/tmp${last}`),
    () => Buffer.from(pick(2) === 0 ? '\n' : 'ünï€😀'.slice(0, 1 + pick(6))),
    () => Buffer.from([0, 0xff, 0xc3][pick(3)] === 0 ? [0] : [0xc3, 0x28]),
  ];
  return (kinds[pick(kinds.length)] ?? (() => Buffer.alloc(0)))();
}

/** A command that prints random pieces on either stream and ends with a random code. */
function script(pick: Pick): Script {
  const parts: Record<StreamName, Buffer[]> = { stdout: [], stderr: [] };
  const lines = Array.from({ length: pick(8) }, () => {
    const stream = pick(3) === 0 ? 'stderr' : 'stdout';
    const bytes = piece(pick);
    parts[stream].push(bytes);
    const octal = [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
    return `printf '${octal}'${stream === 'stderr' ? ' >&2' : ''}`;
  });
  const exitCode = pick(2) === 0 ? 0 : pick(256);
  const command = [...lines, `(exit ${exitCode})`].join(pick(2) === 0 ? '; ' : '\n');
  return { command, exitCode, expected: { stdout: Buffer.concat(parts.stdout), stderr: Buffer.concat(parts.stderr) } };
}

/** Cuts what a channel brings into random pieces, as a network may; a piece of each may be late by a turn. */
function cutting(open: OpenExec, pick: Pick): OpenExec {
  return async (command) => {
    const channel = await open(command);
    return new Proxy(channel, {
      set(target, name, value: unknown) {
        if ((name === 'onStdout' || name === 'onStderr') && typeof value === 'function') {
          const sink = value as ExecChannel['onStdout'];
          target[name] = (bytes) => {
            for (let at = 0; at < bytes.length;) {
              const size = 1 + pick(pick(3) === 0 ? 4 : 200);
              sink(bytes.subarray(at, at + size));
              at += size;
            }
          };
          return true;
        }
        return Reflect.set(target, name, value);
      },
    });
  };
}

const NAMES: readonly StreamName[] = ['stdout', 'stderr'];

/** What came of a command, in full. */
async function outcome(command: Command): Promise<Record<StreamName, Buffer> & { exitCode: number | null }> {
  await command.ended;
  const read = (name: StreamName): Promise<Buffer> => command.stream(name).read(0, 1_000_000);
  return { exitCode: command.view().exitCode, stdout: await read('stdout'), stderr: await read('stderr') };
}

describe(`random output, seed ${runSeed}`, () => {
  it(`is exact in ${LOCAL_RUNS} runs of a shell whose bytes are cut at random`, { timeout: 240_000 }, async () => {
    const pick = numbers(runSeed);
    const account = createLocalAccount({ shell: '/bin/bash' });
    const { lane } = await startLane(cutting(account.open, numbers(runSeed + 1)), { spoolDir: folder });
    for (let run = 0; run < LOCAL_RUNS; run += 1) {
      const { command, expected, exitCode } = script(pick);
      const got = await outcome(lane.run({ command, timeoutMs: 60_000 }, assistant));
      // Comparing by hand: thousands of expectations take longer than the runs.
      if (got.exitCode === exitCode && NAMES.every((name) => got[name].equals(expected[name]))) continue;
      expect({ run, command, ...got }).toEqual({ run, command, exitCode, ...expected });
    }
    await lane.close();
    account.end();
  });

  it(`is exact in ${SERVER_RUNS} runs through a server, in four sessions at once`, { timeout: 240_000 }, async () => {
    const server = await startSshd();
    const home = await startCore();
    const sessions = await Promise.all([0, 1, 2, 3].map((index) => home.connect(`web-${index}`, server)));
    const work = async (session: Session, pick: Pick): Promise<void> => {
      for (let run = 0; run < SERVER_RUNS / 4; run += 1) {
        const { command, expected, exitCode } = script(pick);
        const got = await outcome(session.run({ command, timeoutMs: 60_000 }, assistant));
        expect({ session: session.name, run, command, ...got }).toEqual({
          ...{ session: session.name, run, command, exitCode, ...expected },
        });
      }
    };
    await Promise.all(sessions.map((session, index) => work(session, numbers(runSeed + 100 + index))));
    await home.close();
    await server.stop();
  });
});
