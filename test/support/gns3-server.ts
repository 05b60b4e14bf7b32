// A real GNS3 server of a test: isolated in a temporary folder, on free ports, ended by its pid.
// Needs: python3-venv
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gns3Python } from './gns3-install.ts';
import { freePort } from './net.ts';
import { waitFor } from './processes.ts';

/** It is ready after 3 s on an idle machine, after 25 s on a loaded one. */
const READY_MS = 90_000;
/** It stops its nodes first. */
const STOP_MS = 20_000;

/** An answer of the server, read as JSON where it is JSON. */
export interface RawAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** The server. */
export interface TestGns3 {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly folder: string;
  readonly pid: number;
  /** A request past the product, as the administrator or with another token. */
  request(method: string, at: string, body?: unknown, token?: string): Promise<RawAnswer>;
  /** A fresh token. */
  login(username: string, password: string): Promise<string>;
  /** Everything that the server has logged. */
  log(): string;
  /** Ends it and starts it again on the same folder and port, with another key for tokens when asked. */
  restart(options?: { readonly newKey?: boolean }): Promise<void>;
  stop(): Promise<void>;
}

/** What a test may change. */
export interface Gns3Options {
  /** Path of a program that stands in for uBridge; default: there is none. */
  readonly ubridge?: string;
}

const USERNAME = 'admin';
const PASSWORD = 'Lab-pa55word-of-the-test';

/** Installs the server where needed, starts it, and waits until it answers. */
export async function startGns3(options: Gns3Options = {}): Promise<TestGns3> {
  const python = await gns3Python();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'patchbay-gns3-'));
  const port = await freePort();
  writeConfiguration(folder, port, options);
  const url = `http://127.0.0.1:${port}`;
  let child = await startServer(python, folder, url);
  let adminToken: string | undefined;
  const login = async (username: string, password: string): Promise<string> => {
    const { body } = await send({
      url,
      method: 'POST',
      at: '/access/users/authenticate',
      body: { username, password },
    });
    if (typeof body === 'object' && body !== null && 'access_token' in body) return String(body.access_token);
    throw new Error(`no login as ${username}: ${JSON.stringify(body)}`);
  };
  return {
    ...{ url, username: USERNAME, password: PASSWORD, folder, login },
    get pid() {
      return child.pid ?? 0;
    },
    async request(method, at, body, token) {
      adminToken ??= await login(USERNAME, PASSWORD);
      return send({ url, method, at, body, token: token ?? adminToken });
    },
    log: () => fs.readFileSync(logOf(folder), 'utf8'),
    async restart({ newKey = false } = {}) {
      await end(child);
      if (newKey) fs.rmSync(path.join(folder, 'secrets'), { recursive: true });
      if (newKey) fs.mkdirSync(path.join(folder, 'secrets'));
      adminToken = undefined;
      child = await startServer(python, folder, url);
    },
    async stop() {
      await end(child);
      fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

const logOf = (folder: string): string => path.join(folder, 'server.log');

/** Ports of consoles and links lie in a range of this server's own, so that servers side by side do not meet. */
function writeConfiguration(folder: string, port: number, { ubridge }: Gns3Options): void {
  const inside = (name: string): string => {
    fs.mkdirSync(path.join(folder, name));
    return path.join(folder, name);
  };
  const first = 20_000 + (port % 200) * 150;
  const lines = [
    ...['[Server]', 'host=127.0.0.1', `port=${port}`, 'report_errors=False'],
    ...['secrets', 'images', 'projects', 'appliances', 'symbols', 'configs', 'resources'].map(
      (name) => `${name === 'secrets' ? 'secrets_dir' : `${name}_path`}=${inside(name)}`,
    ),
    ...[`console_start_port_range=${first}`, `console_end_port_range=${first + 49}`],
    ...[`vnc_console_start_port_range=${first + 50}`, `vnc_console_end_port_range=${first + 69}`],
    ...[`udp_start_port_range=${first + 70}`, `udp_end_port_range=${first + 149}`],
    ...['install_builtin_appliances=False', 'auto_discover_images=False'],
    `ubridge_path=${ubridge ?? path.join(folder, 'no-ubridge')}`,
    ...['compute_username=gns3', 'compute_password=compute-of-the-test'],
    ...['[Controller]', `default_admin_username=${USERNAME}`, `default_admin_password=${PASSWORD}`],
    ...['jwt_access_token_expire_minutes=1440', '[Qemu]', 'enable_hardware_acceleration=False', ''],
  ];
  fs.writeFileSync(path.join(inside('conf'), 'gns3_server.conf'), lines.join('\n'));
}

async function startServer(python: string, folder: string, url: string): Promise<ChildProcess> {
  const log = fs.openSync(logOf(folder), 'a');
  // Never --pid: with it the server ends every program of the machine that is called vpcs, ubridge or dynamips.
  const child = spawn(python, ['-m', 'gns3server', '--config', path.join(folder, 'conf', 'gns3_server.conf')], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: folder, LANG: 'C.UTF-8' },
    stdio: ['ignore', log, log],
  });
  fs.closeSync(log);
  const ended = { code: undefined as number | null | undefined };
  child.once('exit', (code) => (ended.code = code));
  const ready = async (): Promise<boolean> => {
    if (ended.code !== undefined) throw new Error(`the GNS3 server ended: ${fs.readFileSync(logOf(folder), 'utf8')}`);
    return fetch(`${url}/v3/version`).then(
      (answer) => answer.ok,
      () => false,
    );
  };
  await waitFor('the GNS3 server to answer', ready, READY_MS);
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const hard = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(hard);
}

interface Request {
  readonly url: string;
  readonly method: string;
  readonly at: string;
  readonly body?: unknown;
  readonly token?: string;
}

async function send({ url, method, at, body, token }: Request): Promise<RawAnswer> {
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const answer = await fetch(`${url}/v3${at}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  try {
    return { status: answer.status, body: JSON.parse(text) };
  } catch {
    // Successes without content and unhandled faults are no JSON.
    return { status: answer.status, body: text };
  }
}
