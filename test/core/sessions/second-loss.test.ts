// A connection that is lost again while the session is being brought back.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { DurableRecords } from '../../../src-main/core/durable/records.ts';
import { systemClock } from '../../../src-main/core/clock.ts';
import { SshSession } from '../../../src-main/core/sessions/session.ts';
import { connect } from '../../../src-main/core/ssh/connect.ts';
import type { Connect } from '../../../src-main/core/ssh/port.ts';
import { assistant, outputOf, runToEnd } from '../../support/core.ts';
import type { Relay } from '../../support/net.ts';
import { startRelay } from '../../support/net.ts';
import { waitFor } from '../../support/processes.ts';
import type { TestSshd } from '../../support/sshd.ts';
import { startSshd } from '../../support/sshd.ts';

let server: TestSshd;
let relay: Relay;
let folder: string;
let session: SshSession | undefined;
beforeAll(async () => {
  server = await startSshd();
  relay = await startRelay(server.port);
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'patchbay-second-loss-'));
});
afterEach(() => session?.close({ kind: 'system' }, 'end of the test'));
afterAll(async () => {
  await relay.close();
  await server.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

const silent = () => undefined;
const log = { debug: silent, info: silent, warn: silent, error: silent };

/** Connects for real; the second connection is cut at the second thing that is written into its shell. */
function cutAtRestore(): { readonly connect: Connect; readonly made: () => number } {
  let made = 0;
  return {
    made: () => made,
    connect: async (target, options) => {
      const connection = await connect(target, options);
      made += 1;
      if (made !== 2) return connection;
      const exec = connection.exec.bind(connection);
      connection.exec = async (command) => {
        const channel = await exec(command);
        const write = channel.write.bind(channel);
        let writes = 0;
        channel.write = (bytes) => {
          writes += 1;
          if (writes === 2) relay.reset();
          return write(bytes);
        };
        return channel;
      };
      return connection;
    },
  };
}

it('comes back all the same, with directory and variables, and runs what waited only then', async () => {
  const { connect: cutting, made } = cutAtRestore();
  session = new SshSession({
    ...{ name: 'web-1', clock: systemClock, log, spoolDir: fs.mkdtempSync(path.join(folder, 'spool-')) },
    journal: { append: () => Promise.resolve(), search: () => Promise.resolve([]), close: () => Promise.resolve() },
    limits: { spoolBytes: 0 },
    durable: new DurableRecords(folder, log),
    link: {
      connect: cutting,
      actor: assistant,
      target: {
        ...{ host: '127.0.0.1', port: relay.port, username: server.account.name, identityFiles: [] },
        credentials: { keyFile: server.account.keyFile },
      },
      common: {
        ...{ timeoutMs: 20_000, keepAliveMs: 15_000, sessionName: 'web-1', log: silent },
        askHostKey: () => Promise.resolve(),
        knownHostsFiles: [path.join(folder, 'known_hosts')],
      },
    },
    ...{ paused: () => false, onChange: silent, onCommandChange: silent, onTerminalResize: silent },
  });
  await session.open(new AbortController().signal);
  await runToEnd(session, 'cd /tmp; export FRUIT=apple');
  relay.reset();
  await waitFor('the loss', () => session?.view().status === 'reconnecting');
  const waiting = session.run({ command: 'echo "$PWD $FRUIT"', timeoutMs: 60_000 }, assistant);
  await waitFor('the second loss', () => made() === 2 && /last attempt/.test(session?.view().statusReason ?? ''));
  const another = session.run({ command: 'echo another', timeoutMs: 60_000 }, assistant);
  expect(another.view().status).toBe('queued');
  await another.ended;
  expect((await outputOf(another)).stdout).toBe('another\n');
  await waiting.ended;
  expect(await outputOf(waiting)).toEqual({ stdout: '/tmp apple\n', stderr: '' });
  expect(waiting.view()).toMatchObject({ status: 'exited', exitCode: 0 });
  expect(made()).toBe(3);
  expect(session.view()).toMatchObject({ status: 'connected', reconnects: 1, workingDir: '/tmp' });
});
