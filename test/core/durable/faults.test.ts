// What goes wrong around durable commands: a host that was restarted, a full disk, another host key, leftovers, strays.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Command, RunRequest, Session } from '../../../src-main/core/sessions/port.ts';
import { assistant, outputOf, runToEnd, startCore } from '../../support/core.ts';
import type { TestCore } from '../../support/core.ts';
import { startDurableLane } from '../../support/durable-lane.ts';
import type { DurableLane } from '../../support/durable-lane.ts';
import { startRelay } from '../../support/net.ts';
import type { Relay } from '../../support/net.ts';
import { waitFor } from '../../support/processes.ts';
import { startSshd } from '../../support/sshd.ts';
import type { TestSshd } from '../../support/sshd.ts';

const WAIT_MS = 40_000;
const TEST_MS = 90_000;

const run = (session: Session, command: string, more: Partial<RunRequest> = {}): Command =>
  session.run({ command, timeoutMs: 600_000, durable: true, ...more }, assistant);

const leftovers = async (session: Session): Promise<string> =>
  (await runToEnd(session, 'ls -d ~/.cache/patchbay-* 2>/dev/null')).stdout;

describe('on a server', () => {
  let server: TestSshd;
  let home: TestCore;
  let relay: Relay;
  /** Reaches the host while the relay does not. */
  let aside: Session;
  let session: Session;
  beforeAll(async () => {
    server = await startSshd();
  });
  afterAll(() => server.stop());
  afterEach(async () => {
    await home.close();
    await relay.close();
  });
  const begin = async (): Promise<void> => {
    home = await startCore();
    relay = await startRelay(server.port);
    aside = await home.connect('aside', server);
    session = await home.connect('web-1', server, { port: relay.port });
  };
  const cut = async (): Promise<void> => {
    relay.refuse();
    relay.reset();
    await waitFor('the loss', () => session.view().status === 'reconnecting');
  };

  it(
    'a process id that meanwhile belongs to another process is not signalled',
    async () => {
      await begin();
      const command = run(session, 'echo before; sleep 4401');
      await waitFor('output', () => command.stream('stdout').length > 0);
      await cut();
      await command.cancel('cancelled');
      expect(command.notices.join(' ')).toContain('as soon as the host is connected again');
      await runToEnd(aside, 'kill -9 $(cat ~/.cache/patchbay-*/pid); pkill -9 -f "sleep 4401"');
      const taken = 'setsid sh -c "sleep 4402; :" >/dev/null 2>&1 & echo $! >"$(echo ~/.cache/patchbay-*)/pid"';
      await runToEnd(aside, taken);
      relay.accept();
      await command.ended;
      expect(command.view()).toMatchObject({ status: 'cancelled', exitCode: null, stdoutBytes: 7 });
      expect((await runToEnd(aside, 'pgrep -cf "^sleep 4402"')).stdout.trim()).toBe('1');
      expect(await leftovers(aside)).toBe('');
      await runToEnd(aside, 'pkill -9 -f "sleep 4402"');
    },
    TEST_MS,
  );

  it(
    'after a restart of the host it is lost, with all bytes so far, and is not run again',
    async () => {
      await begin();
      const command = run(session, 'echo once | tee -a ~/times; sleep 4403');
      await waitFor('output', () => command.stream('stdout').length > 0);
      await cut();
      await runToEnd(aside, 'echo more >>"$(echo ~/.cache/patchbay-*)/out"');
      await runToEnd(aside, 'echo 00000000-0000-0000-0000-000000000000 1 >"$(echo ~/.cache/patchbay-*)/boot"');
      relay.accept();
      await command.ended;
      expect(command.view()).toMatchObject({ status: 'lost', exitCode: null });
      expect((await outputOf(command)).stdout).toBe('once\nmore\n');
      expect(command.notices.join(' ')).toContain('the host was restarted');
      expect((await runToEnd(aside, 'cat ~/times; pkill -9 -f "sleep 4403"')).stdout).toBe('once\n');
      expect(await leftovers(aside)).toBe('');
    },
    TEST_MS,
  );

  it('a cancel reaches what has left the process tree', async () => {
    await begin();
    const command = run(session, '(setsid sleep 4404 >/dev/null 2>&1 &); echo on; sleep 4405');
    await waitFor('output', () => command.stream('stdout').length > 0);
    await command.cancel('cancelled');
    expect(command.view().status).toBe('cancelled');
    expect((await runToEnd(aside, 'pgrep -cf "^sleep 440[45]"')).stdout.trim()).toBe('0');
  });

  it('two at once keep their output and codes apart', async () => {
    await begin();
    const make = (word: string, code: number): string =>
      `i=0; while [ $i -lt 3000 ]; do echo ${word}; echo ${word}-err >&2; i=$((i+1)); done; exit ${code}`;
    const both = [run(session, make('left', 3)), run(session, make('right', 4))];
    await Promise.all(both.map((command) => command.ended));
    expect(both.map((command) => command.view().exitCode)).toEqual([3, 4]);
    const [left, right] = await Promise.all(both.map(outputOf));
    expect(left).toEqual({ stdout: 'left\n'.repeat(3000), stderr: 'left-err\n'.repeat(3000) });
    expect(right).toEqual({ stdout: 'right\n'.repeat(3000), stderr: 'right-err\n'.repeat(3000) });
    expect(await leftovers(aside)).toBe('');
  });

  it('folders that nobody came back for go after a month; younger ones and those of others stay', async () => {
    await begin();
    const make = [
      'cd ~/.cache; mkdir patchbay-old patchbay-young patchbay-other',
      'touch patchbay-old/command patchbay-young/command',
      'touch -d "40 days ago" patchbay-old patchbay-other; touch -d "20 days ago" patchbay-young',
    ];
    await runToEnd(aside, `mkdir -p ~/.cache; ${make.join('; ')}`);
    await run(session, 'true').ended;
    await waitFor('the old folder to go', async () => !(await leftovers(aside)).includes('patchbay-old'), WAIT_MS);
    expect(
      (await leftovers(aside))
        .trim()
        .split('\n')
        .map((name) => path.basename(name)),
    ).toEqual(['patchbay-other', 'patchbay-young']);
    await runToEnd(aside, 'rm -r ~/.cache/patchbay-*');
  });

  it(
    'a host with another key is refused also when nothing is known of its key any more, and gets no command',
    async () => {
      await begin();
      const command = run(session, 'echo kept; sleep 4406');
      await waitFor('output', () => command.stream('stdout').length > 0);
      const { port } = relay;
      const records = path.join(home.dataDir, 'durable');
      const name = `${command.id}.json`;
      const record = fs
        .readFileSync(path.join(records, name), 'utf8')
        .replace('"unattended":true', '"unattended":false');
      // The first app must not go on with it, and its clean-up must not take the record along.
      await home.close();
      await relay.close();
      const other = await startSshd({ accounts: [{ name: server.account.name }] });
      relay = await startRelay(other.port, {});
      home = await startCore({
        prepare: (dataDir) => {
          fs.mkdirSync(path.join(dataDir, 'durable'));
          fs.writeFileSync(path.join(dataDir, 'durable', name), record.replaceAll(String(port), String(relay.port)));
        },
      });
      const attempt = home.connect('web-1', other, { port: relay.port });
      await expect(attempt).rejects.toMatchObject({ code: 'HOST_KEY_CHANGED', details: { reason: 'durable' } });
      expect(other.log()).toContain('Accepted publickey');
      expect(other.log()).not.toContain('Starting session');
      expect(home.core.sessions.get('web-1').view().status).toBe('needs_connect');
      expect(fs.readdirSync(path.join(home.dataDir, 'durable'))).toEqual([name]);
      await other.stop();
      await home.close();
      home = await startCore();
      aside = await home.connect('aside', server);
      await runToEnd(aside, 'pkill -9 -f "sleep 4406"; rm -rf ~/.cache/patchbay-*');
    },
    TEST_MS,
  );
});

describe('on a small disk', () => {
  let folder = '';
  let holder: ChildProcess;
  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'patchbay-small-'));
  });
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
  afterEach(async () => {
    const gone = once(holder, 'exit');
    holder.stdin?.end();
    await gone;
  });

  /** A lane whose host has `mounts` laid over in a mount namespace that this test alone sees. */
  async function laneOver(mounts: string, env: Readonly<Record<string, string>>): Promise<DurableLane> {
    const script = `${mounts}\necho ready; read -r line || true`;
    holder = spawn('unshare', ['-m', '--propagation', 'private', 'sh', '-ec', script], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    if (holder.stdout === null) throw new Error('no stdout');
    await once(holder.stdout, 'data');
    const args = ['-t', String(holder.pid), '-m', '--', '/bin/bash'];
    return startDurableLane(folder, { shell: 'nsenter', args, env });
  }

  it('a disk that fills up while it runs costs neither the exit code nor what had room', async () => {
    const small = path.join(folder, 'small');
    fs.mkdirSync(small);
    const host = await laneOver(`mount -t tmpfs -o size=64k,mode=700 none '${small}'`, { XDG_CACHE_HOME: small });
    const ran = await host.durable('head -c 300000 /dev/zero; sleep 1; exit 5');
    expect(ran).toMatchObject({ status: 'exited', exitCode: 5 });
    expect(ran.stdoutBytes.length).toBeGreaterThan(0);
    expect(ran.stdoutBytes.length).toBeLessThan(65_536);
    expect((await host.plain(`ls -A '${small}'`)).stdout).toBe('');
    await host.close();
  });

  it('one folder without room is passed over for the next', async () => {
    const full = path.join(folder, 'full');
    fs.mkdirSync(full);
    const mount = `mount -t tmpfs -o size=4k,mode=700 none '${full}'; echo x >'${full}/filler'`;
    const host = await laneOver(mount, { XDG_CACHE_HOME: full, HOME: folder });
    expect(await host.durable('echo ran; exit 3')).toMatchObject({ status: 'exited', exitCode: 3, stdout: 'ran\n' });
    expect((await host.plain(`ls -A '${full}'`)).stdout).toBe('filler\n');
    await host.close();
  });

  it('where there is room for part of it only, it is not run, the answer says why, and nothing is left', async () => {
    const base = path.join(folder, 'base');
    fs.mkdirSync(base);
    // Room for the command's text, not for what its parent writes first.
    const mount = `mount -t tmpfs -o size=8k,mode=700 none '${base}'; mount --bind '${base}' /tmp`;
    const host = await laneOver(mount, { XDG_CACHE_HOME: base, HOME: base, TMPDIR: base });
    const ran = await host.durable(`echo ran >/dev/shm/patchbay-ran-${process.pid}`);
    expect(ran).toMatchObject({ status: 'cancelled', exitCode: null });
    expect(ran.command.fault).toMatchObject({ code: 'UNSUPPORTED' });
    expect(ran.command.fault?.message).toContain('room');
    expect(fs.existsSync(`/dev/shm/patchbay-ran-${process.pid}`)).toBe(false);
    expect((await host.plain(`ls -A '${base}'`)).stdout).toBe('');
    await host.close();
  });
});
