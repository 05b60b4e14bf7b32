// The bridge as clients start it: its handshake, and how it comes by an app.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tryLock } from '../../src-main/core/config/folder-lock.ts';
import { readRunFile } from '../../src-main/core/config/run-file.ts';
import { isRunning, waitFor } from '../support/processes.ts';
import { startApp, startProgram } from '../support/programs.ts';
import { textOf } from '../support/raw-bridge.ts';
import { connectDirectly } from '../support/raw-tcp.ts';
import { useBridgeDesk, LIST_CALL } from '../support/bridge-desk.ts';

const here = useBridgeDesk();

const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'modern', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe('the handshake', () => {
  it('is answered while the app is still coming up, and tools/list when it is there', async () => {
    // Whoever holds the folder without saying where it is, is an app that starts slowly.
    const slowStart = await tryLock(here.desk.dataDir, 'instance');
    const one = here.bridge();
    const answer = await one.handshake();
    expect(answer).toMatchObject({ result: { protocolVersion: '2025-06-18', serverInfo: { name: 'patchbay' } } });
    expect((await one.request('ping'))['result']).toEqual({});
    const list = one.request('tools/list');
    await slowStart?.release();
    expect((await list)['result']).toMatchObject({ tools: expect.arrayContaining([expect.anything()]) as unknown });
    expect((await here.desk.running()).mode).toBe('headless');
  });

  it('says word for word what the app says, in every revision', async () => {
    const app = await startApp(here.desk);
    const own = here.bridge();
    const direct = await connectDirectly(app.run.mcpPort, app.run.tokens.mcp);
    for (const protocolVersion of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2099-01-01']) {
      const line = await connectDirectly(app.run.mcpPort, app.run.tokens.mcp);
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } };
      const theirs = await line.request('initialize', params);
      line.end();
      const each = here.bridge();
      expect((await each.request('initialize', params))['result']).toEqual(theirs['result']);
    }
    const discover = { _meta: MODERN };
    expect((await own.request('server/discover', discover))['result']).toEqual(
      (await direct.request('server/discover', discover))['result'],
    );
    const unknown = { _meta: { ...MODERN, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } };
    expect((await own.request('server/discover', unknown))['error']).toEqual(
      (await direct.request('server/discover', unknown))['error'],
    );
    direct.end();
  });

  it('reaches the app, which knows the client by its own name', async () => {
    const app = await startApp(here.desk);
    const one = here.bridge();
    await one.handshake();
    await one.request('tools/list');
    await waitFor('the log to name the client', () => app.stderr().includes('raw-client'));
  });

  it('works without one, for clients of the stateless revision', async () => {
    await startApp(here.desk);
    const one = here.bridge();
    const discovered = await one.request('server/discover', { _meta: MODERN });
    expect(discovered['result']).toMatchObject({ supportedVersions: ['2026-07-28'] });
    const called = await one.request('tools/call', { ...LIST_CALL, _meta: MODERN });
    expect(called['result']).toMatchObject({ structuredContent: { sessions: [] }, resultType: 'complete' });
  });
});

describe('starting the app', () => {
  it('FC43 ten bridges at once start exactly one app and all are served by it', async () => {
    const ten = Array.from({ length: 10 }, () => here.bridge());
    await Promise.all(ten.map((one) => one.handshake()));
    const lists = await Promise.all(ten.map((one) => one.request('tools/list')));
    for (const list of lists) expect(list['result']).toEqual(lists[0]?.['result']);
    const { pid } = await here.desk.running();
    const starts = await here.journalCount('app.started');
    expect({ starts, holder: await here.desk.holder() }).toEqual({ starts: 1, holder: pid });
    await waitFor('ten clients', async () => (await here.clientCount()) === 10);
  });

  it('reports a setting that does not allow a start with the app’s own line, and starts once it is mended', async () => {
    const file = path.join(here.desk.dataDir, '..', 'mine.json');
    await writeFile(file, '{"WEB_PORT": "80a"}');
    const one = here.bridge({ PATCHBAY_CONFIG: file });
    await one.handshake();
    const refused = await one.callTool('ssh_list_sessions', {});
    expect(refused['isError']).toBe(true);
    expect(textOf(refused)).toBe(
      `APP_UNAVAILABLE: Patchbay does not start: WEB_PORT in ${file}: "80a" is not allowed; allowed: a whole number from 1 to 65535. Ask the person to correct this setting, then call again.`,
    );
    expect(refused['_meta']).toMatchObject({ 'patchbay/error': { code: 'APP_UNAVAILABLE', retry: 'same' } });
    const listed = await one.request('tools/list');
    expect(listed['error']).toMatchObject({ code: -32_603, data: { code: 'APP_UNAVAILABLE' } });

    await writeFile(file, '{}');
    expect(await one.callTool('ssh_list_sessions', {})).toMatchObject({ structuredContent: { sessions: [] } });
  });

  it('reports a relative data folder and makes nothing in it', async () => {
    const one = here.bridge({ PATCHBAY_DATA_DIR: 'not-absolute' });
    await one.handshake();
    expect(textOf(await one.callTool('ssh_list_sessions', {}))).toContain(
      'PATCHBAY_DATA_DIR in the environment: "not-absolute" is not allowed; allowed: an absolute path',
    );
  });

  it('ends the app that it started once nobody has used it for the idle time', async () => {
    const one = here.bridge({ IDLE_EXIT_MINUTES: '0.02' });
    await one.handshake();
    await one.request('tools/list');
    const { pid } = await here.desk.running();
    one.child.stdin?.end();
    expect(await one.ended).toBe(0);
    await waitFor('the app to end by itself', () => !isRunning(pid), 15_000);
    expect(await readRunFile(here.desk.dataDir)).toBeUndefined();
    expect(await here.desk.holder()).toBeUndefined();
  });

  it('keeps the app for as long as a bridge is connected', async () => {
    const one = here.bridge({ IDLE_EXIT_MINUTES: '0.01' });
    await one.handshake();
    await one.request('tools/list');
    const { pid } = await here.desk.running();
    // Five idle times and more, measured by the app's own clock through calls that it answers.
    const end = Date.now() + 3_500;
    while (Date.now() < end) await one.request('tools/list');
    expect((await here.desk.running()).pid).toBe(pid);
  });
});

describe('a second start of the headless program', () => {
  it('finds the first, says where it is, and ends with 0', async () => {
    const app = await startApp(here.desk);
    const second = startProgram('headless.js', [], here.desk.environment);
    expect(await second.ended).toBe(0);
    expect(second.stdout()).toContain(`runs already without a window (process ${app.pid}); nothing was started`);
    expect(second.stdout()).toContain(`${app.run.monitorUrl}/`);
    expect((await here.desk.running()).pid).toBe(app.pid);
  });
});
