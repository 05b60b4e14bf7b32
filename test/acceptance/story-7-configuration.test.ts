// Story 7, configuration and start: the bridge starts the app, whose settings come from environment and file.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { SETTINGS } from '../../src-shared/settings/index.ts';
import { bridgeClientOne, createDesk } from '../support/app.ts';
import type { Desk, TestClient } from '../support/app.ts';
import { failureOf, structureOf } from '../support/assistant.ts';
import type { ToolFailure, Values } from '../support/assistant.ts';
import { hasNamespaces } from '../support/netns.ts';
import { freePort, startSilentServer } from '../support/net.ts';
import { waitFor } from '../support/processes.ts';
import { OUT } from '../support/programs.ts';
import type { Variables } from '../support/programs.ts';
import { startSshd } from '../support/sshd.ts';

let desk: Desk | undefined;
let client: TestClient | undefined;

afterEach(async () => {
  await client?.close();
  await desk?.close();
  client = undefined;
  desk = undefined;
});

/** A client whose bridge starts the app with these variables and this settings file. */
async function start(environment: Variables, file?: Values): Promise<{ desk: Desk; client: TestClient }> {
  const made = await createDesk(environment);
  desk = made;
  if (file !== undefined) {
    await mkdir(made.dataDir, { recursive: true });
    await writeFile(path.join(made.dataDir, 'settings.json'), JSON.stringify(file));
  }
  const connected = await bridgeClientOne(made);
  client = connected;
  return { desk: made, client: connected };
}

async function ask(tool: string, args: Values = {}): Promise<Values> {
  if (client === undefined) throw new Error('no client');
  return structureOf(tool, await client.callTool(tool, args));
}

async function fail(tool: string, args: Values = {}): Promise<ToolFailure> {
  if (client === undefined) throw new Error('no client');
  return failureOf(tool, await client.callTool(tool, args));
}

async function logOf(made: Desk): Promise<readonly Values[]> {
  // The file comes with its first line.
  const text = await readFile(path.join(made.dataDir, 'logs', 'patchbay.log'), 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as Values);
}

describe('[S7.1] settings', () => {
  it('[S7.1] come from the environment and from the file, the environment first', async () => {
    const [inEnvironment, inFile] = [await freePort(), await freePort()];
    const file = { WEB_PORT: inFile, MCP_PORT: inFile };
    const { desk: made } = await start({ WEB_PORT: String(inEnvironment) }, file);
    await ask('ssh_list_sessions');
    const run = await made.running();
    expect({ web: run.monitorUrl, mcp: run.mcpPort }).toEqual({
      web: `http://127.0.0.1:${inEnvironment}`,
      mcp: inFile,
    });
  });
});

describe('the port of the monitor page', () => {
  it('[S7.2, S7.8] is the one that WEB_PORT sets, there the page answers', async () => {
    const port = await freePort();
    const { desk: made } = await start({ WEB_PORT: String(port) });
    await ask('ssh_list_sessions');
    expect((await made.running()).monitorUrl).toBe(`http://127.0.0.1:${port}`);
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(401);
  });

  it.runIf(hasNamespaces)('[S7.2] is 8080 when nobody sets it', async () => {
    const made = await createDesk();
    desk = made;
    // A network of its own, where nobody else can have taken the port.
    const inside = 'ip link set lo up; exec "$@"';
    const bridge = spawn('unshare', ['-n', 'sh', '-ec', inside, 'sh', process.execPath, path.join(OUT, 'bridge.js')], {
      env: made.environment,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    expect((await made.running()).monitorUrl).toBe('http://127.0.0.1:8080');
    bridge.kill('SIGKILL');
    await once(bridge, 'exit');
  });
});

describe('the time-out of connections', () => {
  it('[S7.3, S7.9] is the one that SSH_TIMEOUT sets, in seconds', async () => {
    const silent = await startSilentServer();
    await start({ SSH_TIMEOUT: '1' });
    await ask('ssh_list_sessions');
    const before = performance.now();
    const failure = await fail('ssh_connect', {
      name: 'silent',
      host: '127.0.0.1',
      port: silent.port,
      credentials: { username: 'x', password: 'not-needed' },
    });
    const seconds = (performance.now() - before) / 1000;
    expect(failure.code).toBe('NETWORK_ERROR');
    expect(failure.text).toMatch(/within 1 s\b.*SSH_TIMEOUT/);
    expect(seconds).toBeGreaterThan(0.9);
    expect(seconds).toBeLessThan(15);
    await silent.close();
  });

  it('[S7.3] is 30 seconds when nobody sets it', async () => {
    const silent = await startSilentServer();
    await start({});
    await ask('ssh_list_sessions');
    const failure = await fail('ssh_connect', {
      name: 'silent',
      host: '127.0.0.1',
      port: silent.port,
      credentials: { username: 'x', password: 'not-needed' },
    });
    expect(failure.text).toMatch(/within 30 s\b/);
    expect(SETTINGS.SSH_TIMEOUT.default).toBe(30);
    await silent.close();
  }, 120_000);
});

describe('the limit of sessions', () => {
  it('[S7.4, S7.10] is the one that MAX_SESSIONS sets', () => reachLimit({ MAX_SESSIONS: '2' }, 2));
  it('[S7.4] is 10 when nobody sets it', () => reachLimit({}, 10));
});

/** Opens as many sessions as may be, is refused one more, and gets it when another one is closed. */
async function reachLimit(environment: Variables, limit: number): Promise<void> {
  const sshd = await startSshd({ config: ['MaxStartups 50'] });
  await start(environment);
  const target = (name: string): Values => ({
    name,
    host: sshd.host,
    port: sshd.port,
    credentials: { username: sshd.account.name, keyFile: sshd.account.keyFile },
  });
  for (let number = 1; number <= limit; number += 1) await ask('ssh_connect', target(`s-${number}`));
  const failure = await fail('ssh_connect', target('one-too-many'));
  expect(failure.code).toBe('SESSION_LIMIT');
  expect(failure.text).toContain(String(limit));
  await ask('ssh_disconnect', { sessionName: 's-1' });
  await ask('ssh_connect', target('now-there-is-room'));
  await sshd.stop();
}

describe('the log level', () => {
  it.each([
    ['debug', ['debug', 'info', 'warn']],
    ['info', ['info', 'warn']],
    ['warn', ['warn']],
    ['error', []],
  ])('[S7.5, S7.11] %s lets through what LOG_LEVEL says', async (level, expected) => {
    const { desk: made } = await start({ LOG_LEVEL: level });
    await ask('ssh_list_sessions');
    await fail('ssh_session_status', { sessionName: 'nobody' });
    const levels = async () => new Set((await logOf(made)).map((line) => line['level']));
    await waitFor('the log', async () => (await levels()).size >= expected.length).catch(() => undefined);
    expect(await levels()).toEqual(new Set(expected));
  });
});

describe('values that are not valid', () => {
  const FAULTS: readonly (readonly [string, Variables, Values | undefined, string])[] = [
    [
      'WEB_PORT',
      { WEB_PORT: '80a' },
      undefined,
      'WEB_PORT in the environment: "80a" is not allowed; allowed: a whole number from 1 to 65535',
    ],
    ['SSH_TIMEOUT', { SSH_TIMEOUT: '0' }, undefined, 'SSH_TIMEOUT in the environment: "0" is not allowed'],
    ['MAX_SESSIONS', {}, { MAX_SESSIONS: 'many' }, 'MAX_SESSIONS in '],
    [
      'LOG_LEVEL',
      { LOG_LEVEL: 'loud' },
      undefined,
      'LOG_LEVEL in the environment: "loud" is not allowed; allowed: debug, info, warn or error',
    ],
    ['an unknown key', {}, { MAX_SESSION: 3 }, 'there is no such setting; did you mean MAX_SESSIONS?'],
  ];

  it.each(FAULTS)(
    '[S7.6, S7.7] of %s stop the start, and the call that needed it says why',
    async (_title, environment, file, line) => {
      const { desk: made } = await start(environment, file);
      const failure = await fail('ssh_list_sessions');
      expect(failure.code).toBe('APP_UNAVAILABLE');
      expect(failure.text).toContain(`Patchbay does not start: `);
      expect(failure.text).toContain(line);
      expect(await made.holder()).toBeUndefined();
    },
  );
});
