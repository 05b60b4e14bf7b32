// The end of the bridge, and what it writes until then.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRunFile } from '../../src-main/core/config/run-file.ts';
import { isRunning, waitFor } from '../support/processes.ts';
import { OUT, startApp } from '../support/programs.ts';
import { useBridgeDesk, LIST_CALL } from '../support/bridge-desk.ts';

const here = useBridgeDesk();

/** The bridge has to be gone by then. */
const GONE_MS = 2_000;

describe('FC41 the bridge ends with its client', () => {
  const lines = [
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"fixture","version":"1"}}}',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":2,"method":"tools/list"}',
  ];

  it('FC41 within two seconds of the end of its input, with the answers written', async () => {
    await startApp(here.desk);
    const one = here.bridge();
    for (const line of lines) one.send(line);
    one.child.stdin?.end();
    const before = performance.now();
    expect(await one.ended).toBe(0);
    expect(performance.now() - before).toBeLessThan(GONE_MS);
    expect(one.messages().map(({ id }) => id)).toEqual([1, 2]);
    await waitFor('the app to see it gone', async () => (await here.clientCount()) === 0);
  });

  it('FC41 while a request still runs, which is dropped cleanly', async () => {
    const app = await startApp(here.desk);
    const one = here.bridge();
    await one.handshake();
    await one.request('tools/list');
    process.kill(app.pid, 'SIGSTOP');
    one.send({ jsonrpc: '2.0', id: 99, method: 'tools/call', params: LIST_CALL });
    one.child.stdin?.end();
    const before = performance.now();
    expect(await one.ended).toBe(0);
    expect(performance.now() - before).toBeLessThan(GONE_MS);
    expect(one.stderr()).toBe('');
    process.kill(app.pid, 'SIGCONT');
    await waitFor('the app to see it gone', async () => (await here.clientCount()) === 0);
  });

  it('FC41 with the app stopped and not to be started', async () => {
    const one = here.bridge({ WEB_PORT: 'none' });
    for (const line of lines) one.send(line);
    one.child.stdin?.end();
    const before = performance.now();
    expect(await one.ended).toBe(0);
    expect(performance.now() - before).toBeLessThan(GONE_MS);
    expect(one.messages()[0]).toMatchObject({ id: 1 });
  });

  it('FC41 when its parent is killed, while its pipes stay open', async () => {
    await startApp(here.desk);
    // The parent starts the bridge on pipes that outlive it: ours.
    const script = `
      const child = require('node:child_process').spawn(process.execPath, [process.argv[1]], { stdio: ['inherit', 'inherit', 'ignore'] });
      require('node:fs').writeSync(2, String(child.pid) + '\\n');
      setInterval(() => undefined, 1000);`;
    const parent = spawn(process.execPath, ['-e', script, path.join(OUT, 'bridge.js')], {
      env: here.desk.environment,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const [line] = (await once(parent.stderr, 'data')) as [Buffer];
    const pid = Number(line.toString());
    for (const text of lines) parent.stdin.write(`${text}\n`);
    await once(parent.stdout, 'data');
    parent.kill('SIGKILL');
    const before = performance.now();
    await waitFor('the bridge to end', () => !isRunning(pid), GONE_MS + 1_000);
    expect(performance.now() - before).toBeLessThan(GONE_MS);
    await waitFor('the app to see it gone', async () => (await here.clientCount()) === 0);
    parent.stdin.destroy();
  });

  it('FC41 on SIGTERM, also while its client reads nothing', async () => {
    await startApp(here.desk);
    const one = here.bridge();
    await one.handshake();
    await one.request('tools/list');
    one.child.stdout?.pause();
    for (let id = 100; id < 160; id += 1) one.send({ jsonrpc: '2.0', id, method: 'tools/list' });
    const before = performance.now();
    one.child.kill('SIGTERM');
    await once(one.child, 'exit');
    expect(performance.now() - before).toBeLessThan(GONE_MS);
    one.child.stdout?.resume();
    await waitFor('the app to see it gone', async () => (await here.clientCount()) === 0);
  });

  it('FC41 and leaves the app and its other clients as they are', async () => {
    const app = await startApp(here.desk);
    const [one, other] = [here.bridge(), here.bridge()];
    await Promise.all([one.handshake(), other.handshake()]);
    await Promise.all([one.request('tools/list'), other.request('tools/list')]);
    await one.stop('SIGKILL');
    await waitFor('one client', async () => (await here.clientCount()) === 1);
    expect(await other.callTool('ssh_list_sessions', {})).toMatchObject({ structuredContent: { sessions: [] } });
    expect(isRunning(app.pid)).toBe(true);
  });
});

describe('FC42 nothing but JSON on stdout', () => {
  it.each([
    ['with the app running', {}, true],
    ['with the app to be started', {}, false],
    ['with an app that refuses to start', { LOG_LEVEL: 'loud' }, false],
    ['with Node told to trace warnings', { NODE_OPTIONS: '--trace-warnings --trace-deprecation' }, true],
  ] as const)('FC42 %s', async (_title, extra, appRuns) => {
    if (appRuns) await startApp(here.desk);
    const one = here.bridge(extra);
    await one.handshake();
    await one.request('tools/list');
    await one.callTool('ssh_list_sessions', {});
    one.send('this is no JSON');
    one.send('[1]');
    one.send('{"jsonrpc":"2.0","id":77}');
    await one.answersToNobody(2);
    one.child.stdin?.end();
    await one.ended;
    for (const message of one.messages()) expect(message['jsonrpc']).toBe('2.0');
    const secrets = Object.values((await readRunFile(here.desk.dataDir))?.tokens ?? {});
    for (const secret of secrets) expect(one.stderr()).not.toContain(secret);
    expect(one.stderr().length).toBeLessThan(2_000);
  });

  it('FC42 while the app crashes again and again', async () => {
    const one = here.bridge();
    await one.handshake();
    for (let round = 0; round < 3; round += 1) {
      await one.request('tools/list');
      const { pid } = await here.desk.running();
      process.kill(pid, 'SIGKILL');
      await waitFor('the app to be gone', () => !isRunning(pid));
      await one.callTool('ssh_list_sessions', {});
    }
    for (const message of one.messages()) expect(message['jsonrpc']).toBe('2.0');
  });
});

describe('what a client may send', () => {
  it('answers a line beyond 10 MiB and goes on', async () => {
    await startApp(here.desk);
    const one = here.bridge();
    await one.handshake();
    const long = JSON.stringify({
      jsonrpc: '2.0',
      id: 'long',
      method: 'tools/call',
      params: { x: 'y'.repeat(50_000_000) },
    });
    one.send(long);
    expect((await one.answerTo('long'))['error']).toEqual({
      code: -32_600,
      message: `The message has ${long.length} bytes; at most 10485760 are taken`,
    });
    expect((await one.request('tools/list'))['result']).toBeDefined();
  });

  it('passes messages of several megabytes on to the app', async () => {
    await startApp(here.desk);
    const one = here.bridge();
    await one.handshake();
    const name = 'x€'.repeat(1_000_000);
    const answer = await one.request('tools/call', { name, arguments: {} });
    expect(answer['error']).toMatchObject({ code: -32_602 });
  });

  it('answers what is no JSON and what is no JSON-RPC, with the id where there is one', async () => {
    const one = here.bridge();
    one.send('{"jsonrpc":"2.0","id":5}');
    one.send('not json');
    expect((await one.answerTo(5))['error']).toMatchObject({ code: -32_600 });
    expect(await one.answersToNobody(1)).toEqual([
      { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Parse error: the line is not JSON' } },
    ]);
  });

  it('never answers a queued request that the client has cancelled', async () => {
    const one = here.bridge();
    await one.handshake();
    one.send({ jsonrpc: '2.0', id: 50, method: 'tools/call', params: LIST_CALL });
    one.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 50 } });
    await one.request('tools/list');
    expect(one.messages().some(({ id }) => id === 50)).toBe(false);
  });
});
