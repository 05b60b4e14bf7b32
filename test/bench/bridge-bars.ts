// Bars of the programs: a command through bridge and client, the bridge's start, the size of the tool list.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import * as z from 'zod';
import type { TestSshd } from '../support/sshd.ts';
import { BLOCKS, BLOCK_SIZE, ratio } from './lane-bars.ts';
import { connectRaw, execRaw } from './raw-ssh2.ts';
import { inTurns, median, timed } from './statistics.ts';
import type { Row } from './statistics.ts';

const START_ROUNDS = 15;

/** A headless Patchbay of its own on a temp data folder. */
export interface BenchApp {
  readonly environment: Record<string, string>;
  close(): Promise<void>;
}

/** Starts the built headless program; resolves when its run file is there. */
export async function startBenchApp(out: string, folder: string): Promise<BenchApp> {
  const environment = { PATH: process.env['PATH'] ?? '', HOME: folder, PATCHBAY_DATA_DIR: path.join(folder, 'data') };
  const child = spawn(process.execPath, [path.join(out, 'headless.js')], { env: environment, stdio: 'ignore' });
  const gone = once(child, 'exit');
  const runFile = path.join(environment.PATCHBAY_DATA_DIR, 'run.json');
  const watch = async (): Promise<void> => {
    for (;;) {
      const text = await fs.readFile(runFile, 'utf8').catch(() => '');
      if (text !== '') return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await Promise.race([watch(), gone.then(() => Promise.reject(new Error('the headless program ended')))]);
  return {
    environment,
    close: async () => {
      child.kill('SIGTERM');
      await gone;
    },
  };
}

async function connectBridge(out: string, app: BenchApp): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' });
  const args = [path.join(out, 'bridge.js')];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: app.environment }));
  return client;
}

/** `true` through bridge and client, to raw ssh2. */
export async function bridgeCommandBar(out: string, app: BenchApp, sshd: TestSshd): Promise<Row> {
  const client = await connectBridge(out, app);
  const { host, port, account } = sshd;
  const credentials = { username: account.name, keyFile: account.keyFile };
  await callTool(client, 'ssh_connect', { name: 'bench', host, port, credentials });
  const raw = await connectRaw(sshd);
  const exec = { sessionName: 'bench', command: 'true' };
  const pair = { ours: () => callTool(client, 'ssh_exec', exec), theirs: () => execRaw(raw, 'true') };
  const { ours, theirs } = await inTurns(pair, BLOCKS, BLOCK_SIZE);
  raw.end();
  await client.close();
  return ratio('`true` through bridge and client, p50, to raw ssh2 exec', median(ours), median(theirs), 0.25);
}

async function callTool(client: Client, name: string, args: Record<string, unknown>): Promise<void> {
  const result = await client.callTool({ name, arguments: args });
  if (result.isError === true) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
}

/** Bridge start until `tools/list` is answered, to `node -e 0`; and the size of the list. */
export async function bridgeStartBars(out: string, app: BenchApp): Promise<readonly Row[]> {
  const ours: number[] = [];
  const theirs: number[] = [];
  let listBytes = 0;
  for (let round = 0; round < START_ROUNDS; round += 1) {
    ours.push(await timed(async () => (listBytes = await listOnce(path.join(out, 'bridge.js'), app))));
    theirs.push(await timed(() => once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit')));
  }
  const kib = listBytes / 1024;
  const size: Row = {
    name: 'tools/list, SSH group',
    value: kib,
    bar: 14,
    kind: 'max',
    unit: ' KiB',
    detail: `${listBytes} bytes`,
  };
  return [ratio('bridge start to tools/list answered, p50, to `node -e 0`', median(ours), median(theirs), 2), size];
}

/** Starts a bridge, sends what a client sends first, resolves with the size of the list when it is there. */
async function listOnce(bridge: string, app: BenchApp): Promise<number> {
  const child = spawn(process.execPath, [bridge], { env: app.environment, stdio: ['pipe', 'pipe', 'ignore'] });
  const clientInfo = { name: 'bench', version: '1' };
  const send = (message: object): boolean => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/list' });
  const size = await lineSize(child.stdout, '"id":2');
  child.stdin.end();
  return size;
}

async function lineSize(stream: AsyncIterable<Buffer>, wanted: string): Promise<number> {
  let text = '';
  for await (const piece of stream) {
    text += piece.toString();
    const line = text
      .split('\n')
      .slice(0, -1)
      .find((one) => one.includes(wanted));
    if (line !== undefined) return Buffer.byteLength(JSON.stringify(toolsOf(line)));
  }
  throw new Error('the bridge ended without an answer');
}

const listAnswer = z.object({ result: z.object({ tools: z.array(z.unknown()) }) });

function toolsOf(line: string): unknown {
  return listAnswer.parse(JSON.parse(line)).result.tools;
}
