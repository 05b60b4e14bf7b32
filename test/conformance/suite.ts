// Fetches the official conformance suite once and runs it against a server.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { NODE_20_ARGUMENTS } from './node-20.ts';

const PACKAGE = '@modelcontextprotocol/conformance';
const VERSION = '0.2.0-alpha.12';
/** One requirement set takes about 20 s; a server that hangs must not hold the run for ever. */
const SUITE_MS = 240_000;
const INSTALL_MS = 300_000;

/** What a run found. */
export interface SuiteRun {
  /** Checks that were met and count. */
  readonly passed: number;
  /** Checks that count and were not met, with the suite's reason. */
  readonly failed: readonly string[];
}

const checksSchema = z.array(z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }));

/** Path of the suite's program; installed into the user's cache folder when it is not there. */
export async function fetchSuite(): Promise<string> {
  const cache = process.env['XDG_CACHE_HOME'] ?? path.join(os.homedir(), '.cache');
  const folder = path.join(cache, 'patchbay-tests', `conformance-${VERSION}`);
  const program = path.join(folder, 'node_modules', PACKAGE, 'dist/index.js');
  const complete = path.join(folder, 'complete');
  if (fs.existsSync(complete)) return program;
  fs.mkdirSync(folder, { recursive: true });
  const command = [
    'install',
    '--prefix',
    folder,
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    `${PACKAGE}@${VERSION}`,
  ];
  const { code, output } = await run('npm', command, INSTALL_MS);
  if (code !== 0) throw new Error(`npm could not fetch ${PACKAGE}@${VERSION}: ${output.slice(-2000)}`);
  fs.writeFileSync(complete, '');
  return program;
}

/** Runs one frozen requirement set against a URL. */
export async function runSuite(url: string, requirements: string): Promise<SuiteRun> {
  const program = await fetchSuite();
  const out = fs.mkdtempSync(path.join(os.tmpdir(), 'patchbay-conformance-'));
  try {
    const wanted = ['server', '--url', url, '--requirements', requirements, '-o', out];
    const { output } = await run(process.execPath, [...NODE_20_ARGUMENTS, program, ...wanted], SUITE_MS);
    return readRun(out, output);
  } finally {
    fs.rmSync(out, { recursive: true, force: true });
  }
}

function readRun(folder: string, output: string): SuiteRun {
  const notScored = notScoredIn(output);
  let passed = 0;
  const failed: string[] = [];
  for (const scenario of fs.readdirSync(folder)) {
    const file = path.join(folder, scenario, 'checks.json');
    const name = scenarioName(scenario);
    if (notScored.has(name) || !fs.existsSync(file)) continue;
    const checks = checksSchema.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
    passed += checks.filter(({ status }) => status === 'SUCCESS').length;
    const missed = checks.filter(({ status }) => status === 'FAILURE');
    failed.push(...missed.map(({ id, errorMessage }) => `${name}: ${id}: ${errorMessage ?? 'no reason given'}`));
  }
  if (passed === 0) failed.push(`the suite ran nothing: ${output.slice(-2000)}`);
  return { passed, failed };
}

/** `server-tools-call-2026-11-30T…` -> `tools-call`. */
const scenarioName = (folder: string): string => folder.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');

/** Scenarios that the suite runs but does not count for this revision; it lists them at the end. */
function notScoredIn(output: string): ReadonlySet<string> {
  const [, list = ''] = output.split('Not scored');
  return new Set([...list.matchAll(/^\s+[✓✗] (\S+) \(/gm)].flatMap(([, name]) => name ?? []));
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

function run(program: string, args: readonly string[], limitMs: number): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: limitMs, killSignal: 'SIGKILL' });
    const pieces: Buffer[] = [];
    child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
    child.stderr.on('data', (piece: Buffer) => pieces.push(piece));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output: Buffer.concat(pieces).toString('utf8') }));
  });
}
