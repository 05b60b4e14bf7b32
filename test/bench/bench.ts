// npm run bench: every bar in one run, as ratios to raw ssh2, to the ssh program and to plain Node.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Core, Log } from '../../src-main/core/core.ts';
import { createSecretNet } from '../../src-main/core/log/secret-net.ts';
import { createCore } from '../../src-main/core/sessions/create-core.ts';
import { loadSettings } from '../../src-main/core/config/load.ts';
import { startSshd } from '../support/sshd.ts';
import type { TestSshd } from '../support/sshd.ts';
import { bridgeCommandBar, bridgeStartBars, startBenchApp } from './bridge-bars.ts';
import { sessionCurve, sizeCurve, unlockBar } from './curves.ts';
import { captureBars, commandBar, connectBar, parallelBars } from './lane-bars.ts';
import { meets, rowLine } from './statistics.ts';
import type { Row } from './statistics.ts';

const BIG_BYTES = 100 * 2 ** 20;
const OUT = path.resolve('out');
const quiet = (): void => undefined;
const SILENT: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

/** Parts that can be asked for by name: `npm run bench -- lane bridge`; without a name all are run. */
const LANE_PARTS = ['lane', 'capture', 'connect', 'parallel', 'unlock', 'size', 'sessions'] as const;
type LanePart = (typeof LANE_PARTS)[number];
const asked = process.argv.slice(2);
const isAsked = (part: string): boolean => asked.length === 0 || asked.includes(part);

/** Says a line on stdout. */
function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main(): Promise<void> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'patchbay-bench-'));
  await fs.chmod(folder, 0o755);
  const sshd = await startSshd({ config: ['MaxStartups 100'] });
  const missed: string[] = [];
  const report = (row: Row): void => {
    say(rowLine(row));
    if (!meets(row)) missed.push(row.name);
  };
  say(
    `Node ${process.version}, ${os.cpus().length} cores, ${os.cpus()[0]?.model ?? 'unknown processor'}; OpenSSH on loopback`,
  );
  try {
    await lanes(folder, sshd, report);
    if (isAsked('bridge')) await programs(folder, sshd, report);
  } finally {
    await sshd.stop();
    await fs.rm(folder, { recursive: true, force: true });
  }
  say(missed.length === 0 ? 'All bars are met.' : `Missed: ${missed.join('; ')}`);
  if (missed.length > 0) process.exitCode = 1;
}

async function lanes(folder: string, sshd: TestSshd, report: (row: Row) => void): Promise<void> {
  const dataDir = path.join(folder, 'core');
  await fs.mkdir(dataDir, { mode: 0o700 });
  const core = await benchCore(dataDir);
  const big = path.join(folder, 'big');
  await fs.writeFile(big, randomBytes(BIG_BYTES));
  const parts: Readonly<Record<LanePart, () => Promise<readonly Row[]>>> = {
    lane: async () => [await commandBar(core, sshd)],
    capture: () => captureBars(core, sshd, big, BIG_BYTES),
    connect: async () => [await connectBar(core, sshd)],
    parallel: () => parallelBars(core, sshd),
    unlock: async () => [await unlockBar(core, sshd, folder)],
    size: () => sizeCurve(core, sshd, folder, say),
    sessions: () => sessionCurve(core, sshd, say),
  };
  for (const part of LANE_PARTS.filter(isAsked)) for (const row of await parts[part]()) report(row);
  await core.close('bench');
}

async function benchCore(dataDir: string): Promise<Core> {
  const loaded = await loadSettings({ PATCHBAY_DATA_DIR: dataDir, MAX_SESSIONS: '60' });
  if (!loaded.ok) throw new Error(loaded.faults.join('\n'));
  const { settings } = loaded;
  return createCore({ settings, dataDir, mode: 'headless', version: 'bench', log: SILENT, secrets: createSecretNet() });
}

async function programs(folder: string, sshd: TestSshd, report: (row: Row) => void): Promise<void> {
  const app = await startBenchApp(OUT, folder);
  report(await bridgeCommandBar(OUT, app, sshd));
  for (const row of await bridgeStartBars(OUT, app)) report(row);
  await app.close();
}

await main();
