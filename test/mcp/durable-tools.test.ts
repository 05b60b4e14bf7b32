// What an assistant is told of durable commands whose host cannot be reached.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { connectClient } from '../support/mcp-clients.ts';
import type { TestClient } from '../support/mcp-clients.ts';
import { startCore } from '../support/core.ts';
import type { TestCore } from '../support/core.ts';
import { startMcp } from '../support/mcp-server.ts';
import type { McpTestServer } from '../support/mcp-server.ts';
import { asRecord } from '../support/record.ts';
import { startRelay } from '../support/net.ts';
import type { Relay } from '../support/net.ts';
import { waitFor } from '../support/processes.ts';
import { startSshd } from '../support/sshd.ts';
import type { TestSshd } from '../support/sshd.ts';

let sshd: TestSshd;
let relay: Relay;
let real: TestCore;
let server: McpTestServer;
let client: TestClient;
beforeEach(async () => {
  sshd = await startSshd();
  relay = await startRelay(sshd.port);
  real = await startCore();
  server = await startMcp(real.core);
  client = await connectClient({ kind: 'old', way: server.tcp, token: server.token });
});
afterEach(async () => {
  await client.close();
  await server.close();
  await real.close();
  await relay.close();
  await sshd.stop();
});

it('a disconnect while the link is down says which may still run, on which host and where its output is', async () => {
  const { name: username, keyFile } = sshd.account;
  const credentials = { username, keyFile };
  await client.call('ssh_connect', { name: 'web-1', host: sshd.host, port: relay.port, credentials });
  const asked = { sessionName: 'web-1', command: 'echo on; sleep 4501', durable: true, waitSeconds: 1 };
  const commandId = String(asRecord((await client.call('ssh_exec', asked)).structure)['commandId']);
  relay.refuse();
  relay.reset();
  await waitFor('the loss', () => real.core.sessions.get('web-1').view().status === 'reconnecting');
  const closed = await client.call('ssh_disconnect', { sessionName: 'web-1' });
  const structure = asRecord(closed.structure);
  const { text } = closed;
  expect(structure).toMatchObject({ closed: true, stillRunning: [{ commandId }] });
  const notices = JSON.stringify(structure['notices']);
  expect(notices).toContain(`Durable command ${commandId} on ${username}@127.0.0.1`);
  expect(notices).toMatch(/may still run on the host; its output there is in \/\S+\/patchbay-[a-z2-7]{24}\b/);
  expect(text).toContain(`Given up, may still run on the host:\n${commandId}: echo on`);
  expect(text).not.toContain('Ended by this');
});

it('a disconnect while the link is up ends it and says so', async () => {
  const { name: username, keyFile } = sshd.account;
  const credentials = { username, keyFile };
  await client.call('ssh_connect', { name: 'web-1', host: sshd.host, port: relay.port, credentials });
  const asked = { sessionName: 'web-1', command: 'echo on; sleep 4502', durable: true, waitSeconds: 1 };
  const commandId = String(asRecord((await client.call('ssh_exec', asked)).structure)['commandId']);
  const closed = await client.call('ssh_disconnect', { sessionName: 'web-1' });
  const structure = asRecord(closed.structure);
  const { text } = closed;
  expect(structure).toMatchObject({ closed: true, stillRunning: [{ commandId }] });
  expect(text).toContain(`Ended by this:\n${commandId}: echo on`);
  expect(text).not.toContain('may still run');
});
