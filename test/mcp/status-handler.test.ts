// Checks what ssh_session_status shows of a session with many commands.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectClient } from '../support/mcp-clients.ts';
import type { TestClient } from '../support/mcp-clients.ts';
import { createCoreDouble } from '../support/mcp-core-double.ts';
import { startMcp } from '../support/mcp-server.ts';
import type { McpTestServer } from '../support/mcp-server.ts';
import { asRecord } from '../support/record.ts';

describe('ssh_session_status', () => {
  const double = createCoreDouble();
  let server: McpTestServer;
  let client: TestClient;

  beforeAll(async () => {
    server = await startMcp(double.core);
    client = await connectClient({ kind: 'old', way: server.tcp, token: server.token });
  });
  afterAll(async () => {
    await client.close();
    await server.close();
  });

  it('shows the last 20 that ended, the one that runs and the next 20, and stays short', async () => {
    const session = double.open('busy');
    for (let number = 0; number < 90; number += 1) {
      session.run({ command: `${number} ${'"'.repeat(400)}`, timeoutMs: 1 }, { kind: 'system' });
      if (number < 30) session.ran.at(-1)?.finish({ endedAt: 3_000 + number });
    }
    const { structure, text } = await client.call('ssh_session_status', { sessionName: 'busy' });
    const commands = [structure?.['commands']].flat().map((row) => String(asRecord(row)['command']));
    expect(commands.map((command) => Number.parseInt(command, 10))).toEqual(
      Array.from({ length: 41 }, (_one, index) => index + 10),
    );
    expect(structure).toMatchObject({ notices: ['39 more commands are queued than are listed here.'] });
    expect(Math.max(...commands.map(({ length }) => length))).toBe(200);
    for (const part of [JSON.stringify(structure), JSON.stringify(text)]) expect(part.length).toBeLessThan(36_000);
    for (const command of session.ran) command.finish();
  });
});
