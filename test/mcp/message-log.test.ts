// Checks that every message is in the log by method, id, size and outcome, and in full only without its secrets.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CLIENT_KINDS, connectClient } from '../support/mcp-clients.ts';
import { createCoreDouble } from '../support/mcp-core-double.ts';
import type { CoreDouble } from '../support/mcp-core-double.ts';
import { startMcp } from '../support/mcp-server.ts';
import type { McpTestServer } from '../support/mcp-server.ts';

let double: CoreDouble;
let server: McpTestServer;
beforeEach(async () => {
  double = createCoreDouble();
  server = await startMcp(double.core);
});
afterEach(() => server.close());

const WAYS = ['tcp', 'http'] as const;
const EACH = WAYS.flatMap((way) => CLIENT_KINDS.map((kind) => ({ way, kind })));

describe.each(EACH)('the log of a client of kind $kind over $way', ({ way, kind }) => {
  const lines = (message: string) =>
    double.log.filter((line) => line.message === message).map(({ details }) => details);

  it('has each message that came and went', async () => {
    const client = await connectClient({ kind, way: server[way], token: server.token, name: 'noted' });
    await client.call('ssh_get_session_url', { sessionName: 'nobody' });
    const call = lines('MCP message in').find(({ method }) => method === 'tools/call');
    const bytes = expect.any(Number) as unknown;
    expect(call).toMatchObject({ bytes });
    const answer = lines('MCP message out').find(({ method }) => method === 'tools/call');
    expect(answer).toMatchObject({
      id: call?.['id'],
      bytes,
      outcome: 'tool error',
      durationMs: expect.any(Number) as unknown,
    });
    expect(lines('MCP message out').find(({ method }) => method === 'tools/list')).toMatchObject({ outcome: 'ok' });
    expect(String(answer?.['client'])).toMatch(/^noted [0-9a-f]{8}$/);
    await client.close();
  });

  it.each([
    { username: 'u', password: 'pw-HIDDEN-1' },
    JSON.stringify({ username: 'u', password: 'pw-HIDDEN-2' }),
    { password: ['pw-HIDDEN-3'] },
  ])('has bodies only at level debug, and secrets in none: %j', async (credentials) => {
    const client = await connectClient({ kind, way: server[way], token: server.token });
    await client.call('ssh_connect', { name: 'a', host: 'h.example', credentials, password: 'pw-HIDDEN-4' });
    await client.call('ssh_nonsense', { password: 'pw-HIDDEN-5' }).catch(() => undefined);
    expect(JSON.stringify(double.log)).not.toContain('HIDDEN');
    const shown = double.log.filter(({ level }) => level !== 'debug');
    expect(JSON.stringify(shown)).not.toContain('h.example');
    const bodies = lines('MCP message in, body').filter(({ method }) => method === 'tools/call');
    expect(bodies[0]).toMatchObject({ body: { params: { name: 'ssh_connect', arguments: { host: 'h.example' } } } });
    await client.close();
  });
});
