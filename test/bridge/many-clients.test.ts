// Several clients at one app, over every transport, and what is left after the app was killed.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { bridgeClientOne, bridgeClientTwo, httpClientOne, httpClientTwo, tcpClient } from '../support/app.ts';
import type { TestClient } from '../support/app.ts';
import { structureOf, useAssistant } from '../support/assistant.ts';
import type { Values } from '../support/assistant.ts';
import { isRunning, waitFor } from '../support/processes.ts';
import { startBridge } from '../support/raw-bridge.ts';

const here = useAssistant();
const { ask, target } = here;

async function call(client: TestClient, tool: string, args: Values = {}): Promise<Values> {
  return structureOf(tool, await client.callTool(tool, args));
}

function namesIn(list: Values): readonly string[] {
  return (list['sessions'] as { name: string }[]).map(({ name }) => name);
}

it('FC43 each client gets its own answers, all see the same sessions, and one that leaves ends nothing', async () => {
  const run = await here.desk.running();
  await ask('ssh_connect', target('shared'));
  const clients = await Promise.all([
    bridgeClientOne(here.desk, 'stdio-one'),
    bridgeClientTwo(here.desk, 'stdio-two'),
    tcpClient(run, 'tcp'),
    httpClientOne(run, 'http-one'),
    httpClientTwo(run, 'http-two'),
  ]);
  const answers = await Promise.all(
    clients.map(async (client) => ({
      name: client.name,
      sessions: namesIn(await call(client, 'ssh_list_sessions')),
      output: (await call(client, 'ssh_exec', { sessionName: 'shared', command: `echo for ${client.name}` }))['stdout'],
    })),
  );
  expect(answers).toEqual(clients.map(({ name }) => ({ name, sessions: ['shared'], output: `for ${name}\n` })));

  for (let round = 0; round < 50; round += 1) {
    const visitor = await tcpClient(run, 'visitor');
    expect(namesIn(await call(visitor, 'ssh_list_sessions'))).toEqual(['shared']);
    await visitor.close();
  }
  for (let round = 0; round < 5; round += 1) {
    const visitor = await bridgeClientOne(here.desk, 'visitor');
    await call(visitor, 'ssh_list_sessions');
    await visitor.close();
  }
  const again = await Promise.all(
    clients.map((client) => call(client, 'ssh_exec', { sessionName: 'shared', command: `echo still ${client.name}` })),
  );
  expect(again.map(({ stdout }) => stdout)).toEqual(clients.map(({ name }) => `still ${name}\n`));
  await Promise.all(clients.map((client) => client.close()));
  expect((await here.desk.running()).pid).toBe(run.pid);
  await ask('ssh_disconnect', { sessionName: 'shared' });
});

it('FC42 nothing but JSON on stdout with an unknown host key, and no secret on stderr', async () => {
  const bridge = startBridge(here.desk.environment);
  await bridge.handshake();
  const { account } = here.sshd;
  const connected = await bridge.callTool('ssh_connect', target('from-raw'));
  expect(connected['structuredContent']).toMatchObject({ status: 'connected' });
  await bridge.callTool('ssh_connect', target('refused', { username: account.name, password: 'wrong-password-1' }));
  bridge.child.stdin?.end();
  expect(await bridge.ended).toBe(0);
  for (const message of bridge.messages()) expect(message['jsonrpc']).toBe('2.0');
  expect(bridge.stderr()).not.toContain(account.password);
  expect(bridge.stderr()).not.toContain('wrong-password-1');
  // The session outlives the bridge that opened it.
  expect(namesIn(await ask('ssh_list_sessions'))).toContain('from-raw');
  await ask('ssh_disconnect', { sessionName: 'from-raw' });
});

it('keeps every command that was started in the journal through a kill -9, and starts again with the next call', async () => {
  await ask('ssh_connect', target('doomed'));
  const commands = Array.from({ length: 20 }, (_, index) => `echo number-${index}`);
  for (const command of commands) await ask('ssh_exec', { sessionName: 'doomed', command });
  await ask('ssh_exec', { sessionName: 'doomed', command: 'sleep 300', waitSeconds: 0 });
  await waitFor('the last command to have started', async () => (await here.desk.journal()).includes('"sleep 300"'));
  const { pid } = await here.desk.running();
  process.kill(pid, 'SIGKILL');
  await waitFor('the app to be gone', () => !isRunning(pid));

  const lines = (await here.desk.journal()).trimEnd().split('\n');
  const events = lines.map((line) => JSON.parse(line) as Values);
  const started = events.filter(({ type, session }) => type === 'command.started' && session === 'doomed');
  expect(started.map(({ command }) => command)).toEqual([...commands, 'sleep 300']);

  await waitFor('the next call to start it again', async () => {
    const answer = await here.client.callTool('ssh_list_sessions');
    return answer.isError !== true;
  });
  expect((await here.desk.running()).pid).not.toBe(pid);
  expect(namesIn(await ask('ssh_list_sessions'))).toEqual([]);
});

it('leaves no secret in anything that it stored', async () => {
  const { account } = here.sshd;
  const texts = [
    await here.desk.journal(),
    await readFile(path.join(here.desk.dataDir, 'logs', 'patchbay.log'), 'utf8'),
  ];
  const { tokens } = await here.desk.running();
  for (const text of texts) {
    for (const secret of [account.password, 'wrong-password-1', ...Object.values(tokens)]) {
      expect(text).not.toContain(secret);
    }
  }
});
