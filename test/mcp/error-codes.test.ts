// Checks that every code of the table reaches clients of every kind as an error that they take, with cause and next step.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERRORS, appError } from '../../src-shared/errors.ts';
import type { ErrorCode } from '../../src-shared/errors.ts';
import { CLIENT_KINDS, connectClient } from '../support/mcp-clients.ts';
import type { TestClient } from '../support/mcp-clients.ts';
import { createCoreDouble } from '../support/mcp-core-double.ts';
import { startMcp } from '../support/mcp-server.ts';
import type { McpTestServer } from '../support/mcp-server.ts';

// The table's keys are its codes.
const CODES = Object.keys(ERRORS) as ErrorCode[];
const WAYS = ['tcp', 'http'] as const;
const EACH = WAYS.flatMap((way) => CLIENT_KINDS.map((kind) => ({ way, kind })));

describe.each(EACH)('a client of kind $kind over $way that has listed the tools', ({ way, kind }) => {
  const double = createCoreDouble();
  let server: McpTestServer;
  let client: TestClient;

  beforeAll(async () => {
    server = await startMcp(double.core);
    client = await connectClient({ kind, way: server[way], token: server.token });
  });
  afterAll(async () => {
    await client.close();
    await server.close();
  });

  it.each(CODES)('gets %s', async (code) => {
    double.failConnect(appError(code, { details: { reason: 'made-up', host: 'h.example' } }));
    const result = await client.call('ssh_connect', { name: 'a', host: 'h.example', credentials: { agent: true } });
    const { message, hint, retry } = ERRORS[code];
    expect(result).toEqual({
      isError: true,
      structure: undefined,
      text: `${code}: ${message}. ${hint}`,
      error: { code, message, hint, retry, details: { reason: 'made-up', host: 'h.example' } },
    });
  });
});
