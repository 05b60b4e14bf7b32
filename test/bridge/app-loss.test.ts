// What a client notices when the app ends, crashes, is quit, comes back, or is of another version.
import { describe, expect, it } from 'vitest';
import { markQuit } from '../../src-main/core/config/quit-marker.ts';
import { writeRunFile } from '../../src-main/core/config/run-file.ts';
import { isRunning, waitFor } from '../support/processes.ts';
import { startApp } from '../support/programs.ts';
import { textOf } from '../support/raw-bridge.ts';
import { startStranger } from '../support/raw-tcp.ts';
import type { Json } from '../support/raw-bridge.ts';
import { useBridgeDesk, LIST_CALL } from '../support/bridge-desk.ts';

const here = useBridgeDesk();

describe('when the app goes away', () => {
  it('answers the call in flight with what is known and reconnects when the app is back', async () => {
    const app = await startApp(here.desk);
    const one = here.bridge();
    await one.handshake();
    await one.request('tools/list');
    // The stopped process takes the call and never answers it.
    process.kill(app.pid, 'SIGSTOP');
    const call = one.request('tools/call', LIST_CALL);
    await app.stop('SIGKILL');
    const result = (await call)['result'] as Json;
    expect(result['isError']).toBe(true);
    expect(textOf(result)).toMatch(/^APP_UNAVAILABLE: The connection to Patchbay was lost while this call ran/);

    const again = await startApp(here.desk);
    await waitFor('the new app to know the client', () => again.stderr().includes('raw-client'));
    expect(await one.callTool('ssh_list_sessions', {})).toMatchObject({ structuredContent: { sessions: [] } });
  });

  it('starts it again with the next call after a crash', async () => {
    const one = here.bridge();
    await one.handshake();
    await one.request('tools/list');
    const first = await here.desk.running();
    process.kill(first.pid, 'SIGKILL');
    await waitFor('the app to be gone', () => !isRunning(first.pid));
    await waitFor('the bridge to be told', async () => {
      const result = await one.callTool('ssh_list_sessions', {});
      return result['isError'] !== true;
    });
    expect((await here.desk.running()).pid).not.toBe(first.pid);
  });

  it('answers APP_QUIT after a person chose Quit, until a new bridge or a person starts it', async () => {
    const app = await startApp(here.desk);
    const old = here.bridge();
    await old.handshake();
    await old.request('tools/list');
    expect(await app.stop('SIGINT')).toBe(0);
    const refused = await old.callTool('ssh_list_sessions', {});
    expect(textOf(refused)).toBe('APP_QUIT: The person has quit Patchbay. Ask the person to start Patchbay again.');
    expect((await old.request('tools/list'))['error']).toMatchObject({ data: { code: 'APP_QUIT' } });
    expect(await here.desk.holder()).toBeUndefined();

    const young = here.bridge();
    await young.handshake();
    await young.request('tools/list');
    await waitFor('the old bridge to find the app', async () => {
      return (await old.callTool('ssh_list_sessions', {}))['isError'] !== true;
    });
    expect(await here.journalCount('app.started')).toBe(2);
  });

  it('answers a call in flight with APP_QUIT when the person quits', async () => {
    const app = await startApp(here.desk);
    const one = here.bridge();
    await one.handshake();
    await one.request('tools/list');
    process.kill(app.pid, 'SIGSTOP');
    const call = one.request('tools/call', LIST_CALL);
    await markQuit(here.desk.dataDir);
    await app.stop('SIGKILL');
    expect(textOf((await call)['result'] as Json)).toMatch(/^APP_QUIT: /);
  });

  it('takes a run file of a crashed app for what it is', async () => {
    const app = await startApp(here.desk);
    const left = app.run;
    await app.stop('SIGKILL');
    // A stranger listens on the old port by now; the token must not reach it.
    const stranger = await startStranger(left.mcpPort);
    const one = here.bridge();
    await one.handshake();
    expect((await one.request('tools/list'))['result']).toBeDefined();
    expect(stranger.heard()).toBe('');
    await stranger.close();
  });
});

describe('bridge and app of different versions', () => {
  it('work together when they agree on how to talk', async () => {
    const app = await startApp(here.desk);
    await writeRunFile(here.desk.dataDir, { ...app.run, version: '0.0.1' });
    const one = here.bridge();
    await one.handshake();
    expect((await one.request('tools/list'))['result']).toBeDefined();
    expect(one.stderr()).toContain('the running Patchbay is 0.0.1');
  });

  it.each([
    [99, 'update the Patchbay that this client starts'],
    [0, 'update the running Patchbay'],
  ])('say plainly which one to update when the app has agreement %i', async (agreement, advice) => {
    const app = await startApp(here.desk);
    await writeRunFile(here.desk.dataDir, { ...app.run, agreement, version: '7.0.0' });
    const one = here.bridge();
    await one.handshake();
    const text = textOf(await one.callTool('ssh_list_sessions', {}));
    expect(text).toMatch(/^APP_UNAVAILABLE: Two versions of Patchbay do not fit together \(.*7\.0\.0.*\)/);
    expect(text).toContain(advice);
  });
});
