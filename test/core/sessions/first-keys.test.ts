// An unknown host key that was accepted without a question: the assistant, the journal and the log hear of it.
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../../src-main/core/sessions/port.ts';
import type { TestCore } from '../../support/core.ts';
import { assistant, startCore } from '../../support/core.ts';
import type { TestSshd } from '../../support/sshd.ts';
import { startSshd } from '../../support/sshd.ts';

let server: TestSshd;
let home: TestCore | undefined;
beforeAll(async () => {
  server = await startSshd();
});
afterAll(() => server.stop());
afterEach(async () => {
  await home?.close();
  home = undefined;
});

function open(core: TestCore, name: string, more: object = {}): Promise<Session> {
  const { host, port, account } = server;
  const credentials = { username: account.name, keyFile: account.keyFile };
  return core.core.sessions.connect(
    { name, host, port, credentials, ...more },
    assistant,
    new AbortController().signal,
  );
}

describe('a key that is accepted for the first time', () => {
  it('is told with the first session, in the journal and in the log, and only once', async () => {
    home = await startCore();
    const first = await open(home, 'first');
    const key = server.hostKeys[0];
    expect(first.takeNotices()).toEqual([
      `The host key of 127.0.0.1 port ${server.port} (ssh-ed25519 ${key?.fingerprint}) was not known: it was accepted for the first time without asking anybody, and is stored in ${path.join(home.dataDir, 'known_hosts')}. Show the fingerprint to the person, who can compare it with the host.`,
    ]);
    expect((await open(home, 'second')).takeNotices()).toEqual([]);
    expect(await home.journal()).toContainEqual(
      expect.objectContaining({ type: 'hostkey.answered', answer: 'accepted-new', fingerprint: key?.fingerprint }),
    );
    expect(home.logged.filter((line) => line.includes('an unknown host key was accepted'))).toHaveLength(1);
  });

  it('is told with the first session that opens, when the login before it failed', async () => {
    home = await startCore();
    await expect(open(home, 'web', { credentials: { username: 'nobody-here', password: 'wrong' } })).rejects.toThrow();
    const session = await open(home, 'web');
    expect(session.takeNotices()).toEqual([expect.stringContaining('was accepted for the first time')]);
  });
});
