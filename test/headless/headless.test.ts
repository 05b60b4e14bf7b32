// The headless program as a person starts it: what it prints, what stops it, how it ends.
import { chmod, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as immediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRunFile } from '../../src-main/core/config/run-file.ts';
import { waitFor } from '../support/processes.ts';
import { OUT, createDesk, startApp, startProgram } from '../support/programs.ts';
import type { Desk, Variables } from '../support/programs.ts';
import { startWebServer } from '../support/net.ts';

let desk: Desk;

beforeEach(async () => {
  desk = await createDesk();
});

afterEach(() => desk.close());

/** Runs the program to its end. */
async function runToEnd(args: readonly string[], extra: Variables = {}) {
  const program = startProgram('headless.js', args, { ...desk.environment, ...extra });
  const code = await program.ended;
  return { code, stdout: program.stdout(), stderr: program.stderr().replaceAll(desk.dataDir, '<data>') };
}

describe('--print-client-config', () => {
  it.each([
    ['--print-client-config', {}],
    ['--print-client-config=claude-desktop', {}],
    ['--print-client-config=claude-code', { type: 'stdio' }],
  ])('%s prints JSON and nothing else, with absolute paths', async (argument, more) => {
    const { code, stdout, stderr } = await runToEnd([argument]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      mcpServers: {
        patchbay: {
          ...more,
          command: process.execPath,
          args: [path.join(OUT, 'bridge.js')],
          env: { PATCHBAY_DATA_DIR: desk.dataDir },
        },
      },
    });
    expect(path.isAbsolute(process.execPath)).toBe(true);
  });

  it('works while the settings do not allow a start, and makes no files', async () => {
    expect((await runToEnd(['--print-client-config'], { WEB_PORT: 'x' })).code).toBe(0);
    await expect(stat(desk.dataDir)).rejects.toThrow('ENOENT');
  });
});

describe('a start', () => {
  it('prints the monitor page with both ways in, the MCP endpoints and a client entry', async () => {
    const app = await startApp(desk);
    await waitFor('the entry', () => app.stdout().trimEnd().endsWith('}'));
    const text = app.stdout();
    expect(text).toContain(`address                ${app.run.monitorUrl}/`);
    expect(text).toContain(`token to watch         ${app.run.tokens.viewer}`);
    expect(text).toContain(`token to type as well  ${app.run.tokens.operator}`);
    expect(text).toContain(`MCP over HTTP          ${app.run.mcpUrl}`);
    expect(text).toContain(`Authorization: Bearer ${app.run.tokens.mcp}`);
    expect(text).toContain(`MCP over TCP           127.0.0.1:${app.run.mcpPort}`);
    expect(JSON.parse(text.slice(text.indexOf('\n{\n')))).toMatchObject({
      mcpServers: { patchbay: { command: process.execPath } },
    });
    expect((await fetch(`${app.run.monitorUrl}/healthz`)).status).toBe(200);
  });

  it('writes its log as JSON lines to stderr and to the file, without the tokens', async () => {
    const app = await startApp(desk);
    await app.stop('SIGTERM');
    const file = await readFile(path.join(desk.dataDir, 'logs', 'patchbay.log'), 'utf8');
    expect(app.stderr()).toBe(file);
    const lines = file.trimEnd().split('\n');
    expect(lines.map((line) => Object.keys(JSON.parse(line) as object).slice(0, 3))).toEqual(
      lines.map(() => ['at', 'level', 'message']),
    );
    for (const token of Object.values(app.run.tokens)) expect(file).not.toContain(token);
  });

  it('keeps everything in the data folder to its owner', async () => {
    const app = await startApp(desk);
    const entries = await readdir(desk.dataDir, { recursive: true, withFileTypes: true });
    expect(entries.length).toBeGreaterThan(5);
    for (const entry of entries) {
      const { mode } = await stat(path.join(entry.parentPath, entry.name));
      expect({ name: entry.name, open: mode & 0o077 }).toEqual({ name: entry.name, open: 0 });
    }
    expect((await stat(desk.dataDir)).mode & 0o777).toBe(0o700);
    await app.stop('SIGTERM');
  });

  it('closes what stands open to other accounts, and says so', async () => {
    const first = await startApp(desk);
    await first.stop('SIGTERM');
    const journal = (await readdir(path.join(desk.dataDir, 'journal')))[0] ?? '';
    const open = ['', 'tokens.json', 'journal', `journal/${journal}`, 'logs/patchbay.log'];
    await writeFile(path.join(desk.dataDir, 'settings.json'), '{}', { mode: 0o644 });
    for (const name of open) await chmod(path.join(desk.dataDir, name), 0o755);
    const second = await startApp(desk);
    for (const name of [...open, 'settings.json']) {
      expect({ name, mode: (await stat(path.join(desk.dataDir, name))).mode & 0o077 }).toEqual({ name, mode: 0 });
    }
    await waitFor('the warnings', () => second.stderr().includes('settings.json'));
    for (const name of open) {
      const file = JSON.stringify(name === '' ? desk.dataDir : `${desk.dataDir}/${name}`);
      expect(second.stderr()).toContain(
        `"level":"warn","message":"was open to other accounts and is closed to them now","file":${file},"mode":"755"`,
      );
    }
    await second.stop('SIGTERM');
  });

  it('has the same tokens after a restart, so that an entry goes on working', async () => {
    const first = await startApp(desk);
    await first.stop('SIGTERM');
    const second = await startApp(desk);
    expect(second.run.tokens).toEqual(first.run.tokens);
    expect(second.pid).not.toBe(first.pid);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('ends on %s with code 0 and leaves no run file', async (signal) => {
    const app = await startApp(desk);
    expect(await app.stop(signal)).toBe(0);
    expect(await readRunFile(desk.dataDir)).toBeUndefined();
    expect(await desk.holder()).toBeUndefined();
    expect(await desk.journal()).toContain(`"reason":"signal ${signal}"`);
  });

  it('ends in order also by a signal that comes the moment its run file is there', async () => {
    for (let round = 0; round < 5; round += 1) {
      const program = startProgram('headless.js', [], desk.environment);
      const file = path.join(desk.dataDir, 'run.json');
      while (!existsSync(file)) await immediate();
      expect([await program.stop('SIGTERM'), existsSync(file)]).toEqual([0, false]);
    }
    expect((await desk.journal()).split('"app.stopped"')).toHaveLength(6);
  });

  it('writes its run file again when it was deleted or damaged, and leaves none at its end', async () => {
    const app = await startApp(desk);
    const file = path.join(desk.dataDir, 'run.json');
    await rm(file);
    expect(await desk.running()).toEqual(app.run);
    await writeFile(file, '{"pid": 1');
    expect(await desk.running()).toEqual(app.run);
    expect((await stat(file)).mode & 0o077).toBe(0);
    await rm(file);
    expect(await app.stop('SIGTERM')).toBe(0);
    expect(await readRunFile(desk.dataDir)).toBeUndefined();
  });

  it('is found by ten more at once: one runs, all others say where and end with 0', async () => {
    const all = Array.from({ length: 10 }, () => startProgram('headless.js', [], desk.environment));
    const run = await desk.running();
    const others = all.filter(({ pid }) => pid !== run.pid);
    expect(others).toHaveLength(9);
    for (const other of others) {
      expect(await other.ended).toBe(0);
      expect(other.stdout()).toContain(`runs already without a window (process ${run.pid}); nothing was started.`);
    }
    expect((await desk.journal()).split('"app.started"')).toHaveLength(2);
  });

  it('follows one that is just ending', async () => {
    const first = await startApp(desk);
    process.kill(first.pid, 'SIGTERM');
    const second = startProgram('headless.js', [], desk.environment);
    expect(await first.ended).toBe(0);
    await waitFor('the second to run', async () => (await readRunFile(desk.dataDir))?.pid === second.pid);
    await second.stop('SIGTERM');
  });
});

describe('the monitor port', () => {
  it('that the person set and another program uses stops the start with one line and code 2', async () => {
    const other = await startWebServer();
    const { code, stdout, stderr } = await runToEnd([], { WEB_PORT: String(other.port) });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const faults = stderr.split('\n').filter((line) => line.startsWith('patchbay: '));
    expect(faults).toEqual([
      `patchbay: WEB_PORT ${other.port} on 127.0.0.1: another program is using it. Choose another WEB_PORT, or end the other program.`,
    ]);
    expect(await desk.holder()).toBeUndefined();
    await other.close();
  });

  it('that nobody set is the next free one when the default is taken', async () => {
    const first = await startApp(desk);
    const second = await createDesk();
    const app = await startApp(second);
    const ports = [first, app].map(({ run }) => Number(new URL(run.monitorUrl).port));
    expect(ports[0]).not.toBe(ports[1]);
    expect((await fetch(`${app.run.monitorUrl}/healthz`)).status).toBe(200);
    await waitFor('the lines', () => app.stdout().includes(`address                ${app.run.monitorUrl}/`));
    await second.close();
  });

  it('of MCP that is taken stops the start, too', async () => {
    const other = await startWebServer();
    const { code, stderr } = await runToEnd([], { MCP_PORT: String(other.port) });
    expect(code).toBe(2);
    expect(stderr).toContain(
      `patchbay: MCP_PORT ${other.port}: another program is using it. Choose another MCP_PORT, or 0 for any free one.\n`,
    );
    await other.close();
  });
});

describe('faults that stop the start with code 2, one line each', () => {
  it('of every setting at once', async () => {
    const wrong = { WEB_PORT: '80a', SSH_TIMEOUT: '-3', MAX_SESSIONS: '0', LOG_LEVEL: 'chatty' };
    expect(await runToEnd([], wrong)).toEqual({
      code: 2,
      stdout: '',
      stderr: [
        'patchbay: WEB_PORT in the environment: "80a" is not allowed; allowed: a whole number from 1 to 65535',
        'patchbay: SSH_TIMEOUT in the environment: "-3" is not allowed; allowed: a whole number of seconds from 1 to 600',
        'patchbay: MAX_SESSIONS in the environment: "0" is not allowed; allowed: a whole number from 1 to 1000',
        'patchbay: LOG_LEVEL in the environment: "chatty" is not allowed; allowed: debug, info, warn or error',
        '',
      ].join('\n'),
    });
  });

  it.each([
    ['{"WEB_POTR": 8080}', 'WEB_POTR in <data>/settings.json: there is no such setting; did you mean WEB_PORT?'],
    [
      '{\n"WEB_PORT" 8080}',
      'Settings file <data>/settings.json: line 2, column 12: not valid JSON, a colon is expected',
    ],
  ])('of the settings file %j', async (text, line) => {
    await mkdir(desk.dataDir);
    await writeFile(path.join(desk.dataDir, 'settings.json'), text);
    expect(await runToEnd([])).toEqual({ code: 2, stdout: '', stderr: `patchbay: ${line}\n` });
  });

  it('of a data folder that cannot be made', async () => {
    const { code, stderr } = await runToEnd([], { PATCHBAY_DATA_DIR: '/proc/no-such-place' });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'patchbay: Data folder /proc/no-such-place cannot be used: no such file or folder\n',
    });
  });

  it('of the command line', async () => {
    const { code, stderr } = await runToEnd(['--port=1']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^patchbay: --port=1 is not known; known options: --headless, .*\n$/);
  });
});
