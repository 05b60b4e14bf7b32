// Durable commands on hosts with little: no bash, no second channel, no setsid, no folder.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TestCore } from '../../support/core.ts';
import { assistant, runToEnd, startCore } from '../../support/core.ts';
import { startDurableLane } from '../../support/durable-lane.ts';
import type { DurableLane } from '../../support/durable-lane.ts';
import { LOGIN_SHELLS, makeShellFolder } from '../../support/lane.ts';
import { startSshd } from '../../support/sshd.ts';
import type { TestSshd } from '../../support/sshd.ts';

const shells = makeShellFolder();
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

/** With a home folder of the test's own. */
function laneOn(env: Readonly<Record<string, string>>, shell: string): Promise<DurableLane> {
  const home = path.join(folder, 'home');
  return startDurableLane(folder, { shell, env: { HOME: home, ...env }, cwd: home });
}

describe.each(['dash', 'ash'] as const)('a host whose only shell is %s', (name) => {
  it('runs them with streams, stdin, directory, variables and code as they are', async () => {
    const shell = path.join(shells.folder, `only-${name}`, 'sh');
    const host = await laneOn(
      { PATH: path.join(shells.folder, `only-${name}`) },
      name === 'ash' ? shells.shellOf('ash') : shell,
    );
    await host.plain('mkdir -p sub; cd sub; export A="x  y"');
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
  await host.plain('mkdir -p ~/bin 2>/dev/null; export PATH=/nowhere');
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
