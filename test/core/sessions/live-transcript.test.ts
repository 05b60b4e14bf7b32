// The transcript of real commands: complete, live and late alike, with welcome text and late output of background jobs.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MARK_OSC, decodeMark } from '../../../src-shared/protocol/index.ts';
import type { ByteStream, Session } from '../../../src-main/core/sessions/port.ts';
import type { TestCore } from '../../support/core.ts';
import { assistant, runToEnd, startCore } from '../../support/core.ts';
import { waitFor } from '../../support/processes.ts';
import type { TestSshd } from '../../support/sshd.ts';
import { startSshd } from '../../support/sshd.ts';

const ESC = '\u001b';
let server: TestSshd;
let home: TestCore;
beforeAll(async () => {
  server = await startSshd();
});
afterAll(() => server.stop());
afterEach(() => home.close());

async function readAll(stream: ByteStream, from = 0): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let at = from; at < stream.length;) {
    const piece = await stream.read(at, 256 * 1024);
    pieces.push(piece);
    at += piece.length;
  }
  return Buffer.concat(pieces);
}

/** A reader that follows from the first byte, as a view does that was there all along. */
function follow(stream: ByteStream): { readonly bytes: () => Promise<Buffer> } {
  const pieces: Buffer[] = [];
  let at = 0;
  let work = Promise.resolve();
  const readOn = async (): Promise<void> => {
    while (at < stream.length) {
      const piece = await stream.read(at, 64 * 1024);
      pieces.push(piece);
      at += piece.length;
    }
  };
  stream.onChange(() => {
    work = work.then(readOn);
  });
  return {
    bytes: async () => {
      work = work.then(readOn);
      await work;
      return Buffer.concat(pieces);
    },
  };
}

/** What each stream of the one command in the transcript printed, taken apart by the tint. */
function takeApart(session: Session, transcript: string): { stdout: string; stderr: string } {
  const body = transcript
    .split(new RegExp(`\u001b\\]${MARK_OSC};[^\u0007]*;output;[^\u0007]*\u0007`))[1]
    ?.split('\u001b[0m\u001b]')[0];
  const parts = (body ?? '').split(new RegExp(`(${ESC}\\[31m|${ESC}\\[39m)`));
  const streams = { stdout: '', stderr: '' };
  let name: 'stdout' | 'stderr' = 'stdout';
  for (const part of parts) {
    if (part === '\u001b[31m') name = 'stderr';
    else if (part === '\u001b[39m') name = 'stdout';
    else streams[name] += part;
  }
  expect(session.transcriptMark).toMatch(/^[0-9a-f]{24}$/);
  return streams;
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('the transcript of real commands', () => {
  it('holds 5 MB of stdout and 1 MB of stderr at once, the same live and late, and equal to the spool', async () => {
    home = await startCore();
    const session = await home.connect('web-1', server);
    const live = follow(session.transcript);
    const run = session.run(
      {
        command: `yes 'out — line' | head -c 5000000 & yes 'err ✗ line' | head -c 1000000 >&2; wait; echo; echo >&2`,
        timeoutMs: 120_000,
      },
      assistant,
    );
    await run.ended;
    expect(run.view()).toMatchObject({ status: 'exited', stdoutBytes: 5_000_001, stderrBytes: 1_000_001 });
    const late = await readAll(session.transcript);
    expect((await live.bytes()).equals(late)).toBe(true);
    const streams = takeApart(session, late.toString('latin1'));
    for (const name of ['stdout', 'stderr'] as const) {
      const spool = (await readAll(run.stream(name))).toString('latin1');
      expect(hash(streams[name])).toBe(hash(spool));
    }
  });

  it('shows the welcome text of start-up files once, then blocks with marks, and late output between them', async () => {
    fs.writeFileSync(`${server.account.home}/.bashrc`, 'echo "Welcome to the machine"\n');
    try {
      home = await startCore();
      const session = await home.connect('web-1', server);
      const gate = `${server.account.home}/late-gate`;
      await runToEnd(session, `(until [ -e ${gate} ]; do sleep 0.02; done; echo from the job) &`);
      fs.writeFileSync(gate, '');
      const text = async (): Promise<string> => (await readAll(session.transcript)).toString();
      await waitFor('the late output', async () => (await text()).includes('\nfrom the job\n'));
      await runToEnd(session, 'echo next');
      const all = await text();
      expect(all.split('Welcome to the machine')).toHaveLength(2);
      expect(all.indexOf('Welcome')).toBeLessThan(all.indexOf(String(MARK_OSC)));
      const marks = [...all.matchAll(new RegExp(`\u001b\\]${MARK_OSC};([^\u0007]*)\u0007`, 'g'))].map(
        ([, mark = '']) => decodeMark(session.transcriptMark, mark)?.kind,
      );
      expect(marks).toEqual(['start', 'output', 'end', 'start', 'output', 'end']);
      expect(all.split('\u001b[2m[background job]\u001b[0m\nfrom the job\n')[1]).toContain('echo next');
    } finally {
      fs.rmSync(`${server.account.home}/.bashrc`);
    }
  });

  it('says when the connection was lost and is back', async () => {
    home = await startCore();
    const session = await home.connect('web-1', server);
    await server.killConnections();
    await waitFor('the reconnect', () => session.view().reconnects === 1);
    const text = async (): Promise<string> => (await readAll(session.transcript)).toString();
    await waitFor('the note', async () => (await text()).includes('[connected again]'));
    expect(await text()).toContain('[connection lost: ');
  });
});
