// Durable commands on hosts with little: no bash, no second channel, no setsid, no folder.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src-main/core/clock.ts';
import { DurableRuns } from '../../../src-main/core/durable/durable-runs.ts';
import { DurableRecords } from '../../../src-main/core/durable/records.ts';
import type { RunRequest } from '../../../src-main/core/sessions/port.ts';
import type { TestCore } from '../../support/core.ts';
import { assistant, runToEnd, startCore } from '../../support/core.ts';
import { CLIENT, LOGIN_SHELLS, finished, makeLane, makeShellFolder } from '../../support/lane.ts';
import { createLocalAccount } from '../../support/local-shell.ts';
import { startSshd } from '../../support/sshd.ts';
import type { TestSshd } from '../../support/sshd.ts';

const shells = makeShellFolder();
const silent = (): void => undefined;
const log = { debug: silent, info: silent, warn: silent, error: silent };
let folder = '';

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'patchbay-durable-'));
  fs.mkdirSync(path.join(folder, 'home'));
  // What a durable command needs beyond the programs of other tests.
  for (const name of ['dash', 'ash']) {
    for (const program of ['mv', 'chmod']) {
      const link = path.join(shells.folder, `only-${name}`, program);
      fs.symlinkSync(name === 'ash' ? '/bin/busybox' : `/usr/bin/${program}`, link);
    }
  }
});
afterAll(() => {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.rmSync(shells.folder, { recursive: true, force: true });
});

/** A lane on a shell of this machine whose durable commands are followed beside it. */
async function laneOn(env: Readonly<Record<string, string>>, shell: string) {
  const home = path.join(folder, 'home');
  const account = createLocalAccount({ shell, env: { HOME: home, ...env }, cwd: home });
  const spoolDir = fs.mkdtempSync(path.join(folder, 'spool-'));
  const runs = new DurableRuns({
    ...{ sessionName: 'web-1', spoolDir, limits: { spoolBytes: 0 }, clock: systemClock, log },
    records: new DurableRecords(fs.mkdtempSync(path.join(folder, 'data-')), log),
    hooks: { onCommandChange: silent },
    about: () => ({
      ...{ sessionName: 'web-1', host: 'h', port: 22, username: 'u', fingerprint: 'SHA256:x', hostKeyType: 'k' },
      login: { unattended: true, keyFile: null, agent: false, identityFiles: [] },
    }),
  });
  const { lane } = makeLane(account.open, { onDetach: (command, place, open) => runs.launch(command, place, open) });
  await lane.start();
  const durable = async (command: string, more: Partial<RunRequest> = {}) => {
    const run = lane.run({ command, timeoutMs: 60_000, durable: true, ...more }, CLIENT);
    await run.ended;
    return { ...(await finished(run)), fault: run.fault };
  };
  const close = async (): Promise<void> => {
    await runs.close();
    await lane.close();
    account.end();
  };
  return { lane, durable, close };
}

describe.each(['dash', 'ash'] as const)('a host whose only shell is %s', (name) => {
  it('runs them with streams, stdin, directory, variables and code as they are', async () => {
    const shell = path.join(shells.folder, `only-${name}`, 'sh');
    const host = await laneOn(
      { PATH: path.join(shells.folder, `only-${name}`) },
      name === 'ash' ? shells.shellOf('ash') : shell,
    );
    await finished(host.lane.run({ command: 'mkdir -p sub; cd sub; export A="x  y"', timeoutMs: 60_000 }, CLIENT));
    const ran = await host.durable('echo "$A"; cat; echo bad >&2; exit 6', { stdin: Buffer.from('fed') });
    expect(ran).toMatchObject({ exitCode: 6, fault: null });
    expect([ran.stdout.toString(), ran.stderr.toString()]).toEqual(['x  y\nfed', 'bad\n']);
    expect(fs.readdirSync(path.join(folder, 'home', '.cache'))).toEqual([]);
    await host.close();
  });
});

it.each(LOGIN_SHELLS)('they work whatever the login shell is: %s', async (name) => {
  const host = await laneOn({}, shells.shellOf(name));
  expect(await host.durable('echo "$((1+1))"; (exit 3)')).toMatchObject({ exitCode: 3, fault: null });
  await host.close();
});

it('a host without a folder that can be written to says so', async () => {
  const host = await laneOn({ HOME: '/proc/nowhere', XDG_CACHE_HOME: '/proc/nowhere', TMPDIR: '/proc' }, '/bin/bash');
  // /tmp is always tried last; in this shell mkdir cannot make anything.
  await finished(
    host.lane.run({ command: 'mkdir -p ~/bin 2>/dev/null; export PATH=/nowhere', timeoutMs: 60_000 }, CLIENT),
  );
  const ran = await host.durable('echo ran');
  expect(ran).toMatchObject({ status: 'cancelled', fault: { code: 'UNSUPPORTED', details: { reason: 'no_folder' } } });
  expect(ran.stdout.length).toBe(0);
  await host.close();
});

describe('a server that gives one channel only', () => {
  let server: TestSshd;
  let home: TestCore;
  afterEach(async () => {
    await home.close();
    await server.stop();
  });

  it('says that it cannot, and the session goes on', async () => {
    server = await startSshd({ config: ['MaxSessions 1'] });
    home = await startCore();
    const session = await home.connect('web-1', server);
    const command = session.run({ command: 'echo ran', timeoutMs: 60_000, durable: true }, assistant);
    await command.ended;
    expect(command.fault).toMatchObject({ code: 'UNSUPPORTED', details: { reason: 'channel_limit' } });
    expect((await runToEnd(session, 'echo fine')).stdout).toBe('fine\n');
  });
});
