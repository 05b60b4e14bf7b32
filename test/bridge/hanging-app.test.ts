// An app that was stopped while it has a call: the client is told in time, and late answers go nowhere.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIST_CALL, useBridgeDesk } from '../support/bridge-desk.ts';
import { waitFor } from '../support/processes.ts';
import { startApp } from '../support/programs.ts';
import { textOf } from '../support/raw-bridge.ts';
import type { Json } from '../support/raw-bridge.ts';
import { startSshd } from '../support/sshd.ts';
import type { TestSshd } from '../support/sshd.ts';

const here = useBridgeDesk();
const CLIENT_GIVES_UP_MS = 60_000;

let sshd: TestSshd;
beforeAll(async () => {
  sshd = await startSshd();
});
afterAll(() => sshd.stop());

const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'modern', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe('an app that is stopped', () => {
  it(
    'answers calls before the client gives up, the handshake at once, and drops what comes when it goes on',
    async () => {
      const app = await startApp(here.desk);
      const one = here.bridge();
      await one.handshake();
      await one.request('tools/list');
      process.kill(app.pid, 'SIGSTOP');
      const call = one.request('tools/call', LIST_CALL, CLIENT_GIVES_UP_MS);
      expect((await one.request('ping', {}, 5_000))['result']).toEqual({});
      const hung = (await call)['result'] as Json;
      expect(hung['isError']).toBe(true);
      expect(textOf(hung)).toMatch(/^APP_UNAVAILABLE: Patchbay does not respond: no sign of life for \d+ seconds\./);
      const next = await one.callTool('ssh_list_sessions', {}, 5_000);
      expect(textOf(next)).toMatch(/^APP_UNAVAILABLE: Patchbay does not respond, so this call was not passed on\./);
      expect((await one.request('ping', {}, 5_000))['result']).toEqual({});
      const young = here.bridge();
      expect((await young.handshake())['result']).toBeDefined();

      process.kill(app.pid, 'SIGCONT');
      await waitFor('the bridge to hear it', () => one.stderr().includes('Patchbay goes on'));
      expect(await one.callTool('ssh_list_sessions', {})).toMatchObject({ structuredContent: { sessions: [] } });
      const ids = one.messages().flatMap(({ id }) => (id === undefined ? [] : [id]));
      expect(ids.length).toBe(new Set(ids).size);
      expect(ids.every((id) => typeof id === 'number')).toBe(true);
    },
    CLIENT_GIVES_UP_MS * 2,
  );

  it.each([
    ['with a handshake', {}],
    ['without one', { _meta: MODERN }],
  ])(
    'is told from one that works on a long call, for a client %s',
    async (_how, more) => {
      await startApp(here.desk);
      const one = here.bridge();
      if (!('_meta' in more)) await one.handshake();
      const { host, port, account } = sshd;
      const credentials = { username: account.name, keyFile: account.keyFile };
      const call = (name: string, args: Json): Promise<Json> =>
        one.request('tools/call', { name, arguments: args, ...more }, CLIENT_GIVES_UP_MS);
      await call('ssh_connect', { name: 'web-1', host, port, credentials });
      const run = { sessionName: 'web-1', command: 'sleep 18; echo done', waitSeconds: 40 };
      const answer = await call('ssh_exec', run);
      expect(answer).toMatchObject({ result: { structuredContent: { status: 'exited', stdout: 'done\n' } } });
      expect(one.messages().every(({ id }) => typeof id === 'number')).toBe(true);
      expect(one.stderr()).not.toContain('no sign of life');
    },
    CLIENT_GIVES_UP_MS * 2,
  );
});
