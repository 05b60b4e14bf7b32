// Checks what every client of every revision meets over both ways in: handshake, list, calls, errors.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import {
  HANDSHAKE_REVISIONS,
  SERVER_CAPABILITIES,
  SERVER_INFO,
  SERVER_INSTRUCTIONS,
} from '../../src-shared/mcp-identity.ts';
import { TOOLS, listTool } from '../../src-shared/tools/index.ts';
import { CLIENT_KINDS, connectClient } from '../support/mcp-clients.ts';
import type { TestClient } from '../support/mcp-clients.ts';
import { clientNames, createCoreDouble } from '../support/mcp-core-double.ts';
import { startMcp } from '../support/mcp-server.ts';
import type { McpTestServer } from '../support/mcp-server.ts';

const double = createCoreDouble();
let server: McpTestServer;
const WAYS = ['tcp', 'http'] as const;
const EACH = WAYS.flatMap((way) => CLIENT_KINDS.map((kind) => ({ way, kind })));

beforeAll(async () => {
  server = await startMcp(double.core);
});
afterAll(() => server.close());

describe.each(EACH)('a client of kind $kind over $way', ({ way, kind }) => {
  let client: TestClient;
  const name = `client-${kind}-${way}`;

  beforeAll(async () => {
    client = await connectClient({ kind, way: server[way], token: server.token, name });
  });
  afterAll(() => client.close());

  it('is told who serves it, what the server can do, and how to use it', () => {
    expect(client.serverVersion()).toMatchObject(SERVER_INFO);
    expect(client.capabilities()).toEqual(SERVER_CAPABILITIES);
    expect(client.instructions()).toBe(SERVER_INSTRUCTIONS);
  });

  it('gets the list of tools exactly as declared', async () => {
    expect(await client.listTools()).toEqual(Object.values(TOOLS).map((tool) => listTool(tool)));
  });

  it('gets a result complete as structure and as text', async () => {
    const result = await client.call('ssh_list_sessions');
    expect(result).toMatchObject({ isError: false, structure: { sessions: [], notices: [] } });
    expect(result.text).toContain('No sessions');
  });

  it('gets an error with code, cause and next step, and no structure', async () => {
    const result = await client.call('ssh_get_session_url', { sessionName: 'nobody' });
    expect(result).toMatchObject({ isError: true, structure: undefined });
    expect(result.text).toMatch(/^SESSION_NOT_FOUND: No session is named nobody\. Call ssh_list_sessions/);
    expect(result.error).toMatchObject({ code: 'SESSION_NOT_FOUND', retry: 'after-change', details: { sessions: [] } });
  });

  it('gets a bad argument named in our words', async () => {
    const result = await client.call('ssh_exec', { sessionName: 'a b', command: 'true' });
    expect(result.text).toMatch(/^INVALID_PARAMS: sessionName may hold only .*, not "a b"\. /);
  });

  it('gets a JSON-RPC error for a tool that does not exist', async () => {
    await expect(client.call('ssh_nonsense')).rejects.toMatchObject({ code: -32_602 });
  });

  it('is on the list of clients by its name', async () => {
    await client.call('ssh_list_sessions');
    expect(clientNames(double.core)).toContain(name);
  });
});

describe('the handshake', () => {
  it('offers the revisions that the bridge offers', () => {
    expect([...HANDSHAKE_REVISIONS]).toEqual(SUPPORTED_PROTOCOL_VERSIONS);
  });
});
