// The whole program killed in the middle of a durable command: the next start goes on from the last byte.
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { tcpClient } from '../support/app.ts';
import type { TestClient } from '../support/app.ts';
import { structureOf } from '../support/assistant.ts';
import { waitFor } from '../support/processes.ts';
import { createDesk, startApp } from '../support/programs.ts';
import type { Desk } from '../support/programs.ts';
import { startSshd } from '../support/sshd.ts';
import type { TestSshd } from '../support/sshd.ts';

let desk: Desk;
let server: TestSshd;
beforeEach(async () => {
  desk = await createDesk();
  server = await startSshd();
});
afterEach(async () => {
  await desk.close();
  await server.stop();
});

/** Calls a tool and gives its structure. */
const asker = (client: TestClient) => async (tool: string, args: Record<string, unknown>) =>
  structureOf(tool, await client.callTool(tool, args));

it('brings all of its output, byte by byte, its exit code, and lists the session until then', async () => {
  const account = server.account;
  const first = await startApp(desk);
  const before = asker(await tcpClient(first.run));
  const credentials = { username: account.name, keyFile: account.keyFile };
  await before('ssh_connect', { name: 'web-1', host: server.host, port: server.port, credentials });
  const make =
    'i=0; while [ $i -lt 60 ]; do head -c 50000 /dev/urandom | tee -a ~/all; i=$((i+1)); sleep 0.1; done; exit 11';
  const begun = await before('ssh_exec', { sessionName: 'web-1', command: make, durable: true, waitSeconds: 1 });
  expect(begun).toMatchObject({ status: 'running' });
  const commandId = String(begun['commandId']);
  await first.stop('SIGKILL');
  const second = await startApp(desk);
  const after = asker(await tcpClient(second.run));
  const listed = async (): Promise<unknown> => (await after('ssh_list_sessions', {}))['sessions'];
  expect(await listed()).toMatchObject([{ name: 'web-1' }]);
  await waitFor(
    'the session to be connected again by itself',
    async () => JSON.stringify(await listed()).includes('"connected"'),
    40_000,
  );
  const hash = createHash('sha256');
  let offset = 0;
  for (;;) {
    const part = await after('ssh_command_output', {
      ...{ sessionName: 'web-1', commandId, offset, limit: 200_000, encoding: 'base64', waitSeconds: 20 },
    });
    hash.update(Buffer.from(String(part['output']), 'base64'));
    offset = Number(part['nextOffset']);
    if (part['complete'] !== true) continue;
    expect(part).toMatchObject({ status: 'exited', exitCode: 11, stdoutBytes: 3_000_000 });
    break;
  }
  const sum = await after('ssh_exec', { sessionName: 'web-1', command: 'sha256sum <~/all; ls -A ~/.cache' });
  expect(sum['stdout']).toBe(`${hash.digest('hex')}  -\n`);
}, 120_000);
