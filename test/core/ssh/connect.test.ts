// Logging in to a real OpenSSH server in every way that is supported.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestSshd } from '../../support/sshd.ts';
import { startSshd } from '../../support/sshd.ts';
import { connectTo, execText } from '../../support/ssh-connect.ts';

describe('connect', () => {
  let server: TestSshd;
  beforeAll(async () => {
    server = await startSshd({ accounts: [{ name: 'tester' }, { name: 'root' }] });
  });
  afterAll(() => server.stop());

  it('logs in with a key and tells who the server is', async () => {
    const connection = await connectTo(server);
    expect(await execText(connection, 'echo $USER')).toBe('tester\n');
    connection.close();
  });
  it('logs in with a password', async () => {
    const connection = await connectTo(server, { credentials: { password: server.account.password } });
    expect(await execText(connection, 'echo $USER')).toBe('tester\n');
    connection.close();
  });
});
