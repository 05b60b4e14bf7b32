// The test server itself: accounts, logins, cutting connections.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestSshd } from './sshd.ts';
import { hasOwnAccounts, startSshd } from './sshd.ts';
import { run } from './run.ts';
import { waitFor } from './processes.ts';

describe('the test sshd', () => {
  let server: TestSshd;
  beforeAll(async () => {
    const accounts = [{ name: 'tester' }, { name: 'root' }, { name: 'dasher', shell: '/bin/dash' }];
    server = await startSshd({ accounts });
  });
  afterAll(() => server.stop());

  const ssh = (name: string, command: string) => {
    const { keyFile } = server.accountOf(name);
    const options = [
      '-o',
      'StrictHostKeyChecking=no',
      '-o',
      'UserKnownHostsFile=/dev/null',
      '-o',
      'IdentitiesOnly=yes',
    ];
    const where = ['-F', 'none', '-o', 'LogLevel=ERROR', '-p', String(server.port), '-i', keyFile];
    return run('ssh', [...options, ...where, `${name}@127.0.0.1`, command], { codes: [0, 255] });
  };

  it('lets its first account log in by key', async () => {
    const { stdout } = await ssh(server.account.name, 'echo "$USER in $HOME"');
    expect(stdout).toBe(`${server.account.name} in ${server.account.home}\n`);
  });

  it.runIf(hasOwnAccounts)('has accounts of its own, root with a home of its own among them', async () => {
    expect((await ssh('root', 'echo $HOME; id -u')).stdout).toBe(`${server.accountOf('root').home}\n0\n`);
    expect((await ssh('dasher', 'echo $0')).stdout).toMatch(/dash/);
  });

  it('cuts connections and goes on listening', async () => {
    const cut = ssh(server.account.name, 'echo begun > begun; sleep 300');
    await waitFor('the session', () => server.log().includes('Starting session: command'));
    await waitFor('the cut', async () => (await server.killConnections()) > 0);
    expect((await cut).code).toBe(255);
    expect((await ssh(server.account.name, 'echo again')).stdout).toBe('again\n');
  });

  it('comes back on the same port after a restart', async () => {
    await server.restart();
    expect((await ssh(server.account.name, 'echo back')).stdout).toBe('back\n');
  });
});
