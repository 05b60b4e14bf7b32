// Story 1, the MCP server: handshake, lists, calls, malformed messages and the log, through the bridge and over TCP.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useAssistant } from '../support/assistant.ts';
import { bridgeClientTwo, tcpClient } from '../support/app.ts';
import { RAW_CLIENT, startBridge } from '../support/raw-bridge.ts';
import type { Json, RawBridge } from '../support/raw-bridge.ts';
import { readAll } from '../support/programs.ts';
import { waitFor } from '../support/processes.ts';
import { asRecord } from '../support/record.ts';

const here = useAssistant({ LOG_LEVEL: 'debug' });

/** The lines of the log so far, parsed. */
async function logLines(): Promise<readonly Json[]> {
  const text = await readAll(path.join(here.desk.dataDir, 'logs'));
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Json => asRecord(JSON.parse(line)));
}

describe('a client that speaks the protocol by hand', () => {
  let bridge: RawBridge;
  beforeAll(() => {
    bridge = startBridge(here.desk.environment);
  });
  afterAll(() => bridge.stop('SIGTERM'));

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    '[S1.1, S1.2] shakes hands on revision %s and is told what the server can do',
    async (protocolVersion) => {
      const other = startBridge(here.desk.environment);
      const { result } = await other.request('initialize', {
        protocolVersion,
        capabilities: {},
        clientInfo: RAW_CLIENT,
      });
      expect(result).toMatchObject({
        protocolVersion,
        serverInfo: { name: 'patchbay', version: expect.stringMatching(/^\d+\.\d+\.\d+/) as unknown },
        capabilities: { tools: { listChanged: true } },
        instructions: expect.stringContaining('ssh_connect') as unknown,
      });
      other.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      expect(await other.request('ping')).toMatchObject({ result: {} });
      await other.stop('SIGTERM');
    },
  );

  it('[S1.1] is offered a revision that exists when it asks for one that does not', async () => {
    const other = startBridge(here.desk.environment);
    const asked = { protocolVersion: '1999-01-01', capabilities: {}, clientInfo: RAW_CLIENT };
    expect(await other.request('initialize', asked)).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
    await other.stop('SIGTERM');
  });

  it('[S1.8] gets JSON-RPC 2.0 on every line, each answer under the id of its request', async () => {
    await bridge.handshake();
    await Promise.all([bridge.request('tools/list'), bridge.request('ping'), bridge.callTool('ssh_list_sessions', {})]);
    bridge.send({ jsonrpc: '2.0', id: 'text-id', method: 'ping' });
    expect(await bridge.answerTo('text-id')).toEqual({ jsonrpc: '2.0', id: 'text-id', result: {} });
    for (const message of bridge.messages()) expect(message).toMatchObject({ jsonrpc: '2.0' });
  });

  it('[S1.4] gets an error for what is malformed, and goes on', async () => {
    bridge.send('this is not JSON {');
    bridge.send('{"jsonrpc":"2.0"}');
    const nobody = await bridge.answersToNobody(2);
    expect(nobody.map(({ error }) => asRecord(error)['code'])).toEqual([-32_700, -32_600]);
    expect(await bridge.request('no/such/method')).toMatchObject({ error: { code: -32_601 } });
    expect(await bridge.request('tools/call', { name: 'no_such_tool', arguments: {} })).toMatchObject({
      error: { code: -32_602 },
    });
    expect(await bridge.request('tools/call', { arguments: {} })).toMatchObject({
      error: { code: expect.any(Number) as unknown },
    });
    expect(await bridge.request('ping')).toMatchObject({ result: {} });
  });

  it('[S1.6] finds every interaction in the log: method, id, size and outcome, malformed ones by size and hash', async () => {
    await bridge.callTool('ssh_get_session_url', { sessionName: 'nobody-in-the-log' });
    bridge.send('not JSON either, WORDS-OF-A-FRAME');
    await waitFor('the lines', async () => (await logLines()).some(({ outcome }) => outcome === 'tool error'));
    const lines = await logLines();
    const incoming = lines.filter(
      ({ message, client }) => message === 'MCP message in' && String(client).startsWith('raw-client'),
    );
    for (const method of ['initialize', 'tools/list', 'tools/call', 'no/such/method']) {
      const sized = { method, id: expect.anything() as unknown, bytes: expect.any(Number) as unknown };
      expect(incoming).toContainEqual(expect.objectContaining(sized));
    }
    const outgoing = lines.filter(({ message }) => message === 'MCP message out');
    for (const outcome of ['ok', 'tool error', 'error -32601', 'error -32602']) {
      expect(outgoing).toContainEqual(expect.objectContaining({ outcome, durationMs: expect.any(Number) as unknown }));
    }
    expect(JSON.stringify(lines)).toContain('nobody-in-the-log');
    expect(JSON.stringify(lines)).not.toContain('WORDS-OF-A-FRAME');
  });
});

it('[S1.3] answers initialize, tools/list and tools/call to clients of both SDK lines', async () => {
  const newer = await bridgeClientTwo(here.desk);
  const names = [
    'ssh_connect',
    'ssh_exec',
    'ssh_list_sessions',
    'ssh_get_session_url',
    'ssh_disconnect',
    'ssh_session_status',
  ];
  for (const client of [here.client, newer]) {
    const tools = (await client.listTools()).map(({ name }) => name);
    expect(tools).toEqual(expect.arrayContaining(names));
    expect(await client.callTool('ssh_hosts')).toMatchObject({ structuredContent: { hosts: [] } });
  }
  await newer.close();
});

it('[S1.5] keeps sessions and the client over many calls, and other clients see the same sessions', async () => {
  await here.ask('ssh_connect', here.target('kept'));
  for (let round = 0; round < 30; round += 1) {
    const command = `round=$(( round + 1 )); echo $round`;
    expect(await here.ask('ssh_exec', { sessionName: 'kept', command })).toMatchObject({ stdout: `${round + 1}\n` });
  }
  const other = await tcpClient(await here.desk.running());
  const listed = await other.callTool('ssh_list_sessions');
  expect(listed.structuredContent).toMatchObject({ sessions: [{ name: 'kept' }] });
  await other.close();
});

it('[S1.9] is reached over stdio, through the bridge, and over TCP, with the same tools', async () => {
  const tcp = await tcpClient(await here.desk.running());
  expect(await tcp.listTools()).toEqual(await here.client.listTools());
  expect(here.client.pid).not.toBeNull();
  await tcp.close();
});

it('[S1.7] stands on the official TypeScript SDK', async () => {
  const manifest: unknown = JSON.parse(await readFile('package.json', 'utf8'));
  expect(manifest).toMatchObject({ dependencies: { '@modelcontextprotocol/server': expect.any(String) as unknown } });
  const source = await readFile('src-main/mcp/server.ts', 'utf8');
  expect(source).toContain("from '@modelcontextprotocol/server'");
});
