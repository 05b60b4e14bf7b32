// The same connection against dropbear, the other common server.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appErrorOf } from '../../support/app-error.ts';
import type { TestDropbear } from '../../support/dropbear.ts';
import { startDropbear } from '../../support/dropbear.ts';
import { waitFor } from '../../support/processes.ts';
import type { TestSshd } from '../../support/sshd.ts';
import { hasOwnAccounts, startSshd } from '../../support/sshd.ts';
import { collect, connectTo, execText } from '../../support/ssh-connect.ts';

describe.runIf(hasOwnAccounts)('dropbear', () => {
  let sshd: TestSshd;
  let dropbear: TestDropbear;
  beforeAll(async () => {
    sshd = await startSshd();
    dropbear = await startDropbear(sshd);
  });
  afterAll(async () => {
    await dropbear.stop();
    await sshd.stop();
  });

  it('takes key and password, and refuses others with the same errors', async () => {
    const { port } = dropbear;
    for (const credentials of [{ keyFile: sshd.account.keyFile }, { password: sshd.account.password }]) {
      const connection = await connectTo(sshd, { port, credentials });
      expect(connection.serverVersion).toContain('dropbear');
      expect(await execText(connection, 'echo $USER')).toBe('tester\n');
      connection.close();
    }
    const error = await appErrorOf(connectTo(sshd, { port, credentials: { password: 'not the right one' } }));
    expect(error).toMatchObject({ code: 'AUTHENTICATION_FAILED', details: { reason: 'wrong_password' } });
  });

  it('gives streams, codes and signals, and answers keep-alives', async () => {
    const connection = await connectTo(sshd, { port: dropbear.port, keepAliveMs: 100 });
    for (let round = 0; round < 5; round += 1) {
      const channel = await connection.exec('printf out; printf err >&2; exit 3');
      const { stdout, stderr, exitCode } = await collect(channel);
      expect([stdout.toString(), stderr.toString(), exitCode]).toEqual(['out', 'err', 3]);
    }
    expect(await collect(await connection.exec('kill -KILL $$'))).toMatchObject({ exitCode: null, signal: 'KILL' });
    await waitFor('a round trip', () => connection.rttMs !== null);
    const shell = await connection.shell({ cols: 90, rows: 20, term: 'xterm' });
    let screen = '';
    shell.onData = (bytes) => (screen += bytes.toString());
    const ended = new Promise((resolve) => (shell.onClose = resolve));
    await shell.write('stty size\rexit 4\r');
    expect(await ended).toEqual({ exitCode: 4, signal: null });
    expect(screen).toContain('20 90');
    connection.close();
  });
});
