// The run file: how the bridge and a second start find the running Patchbay. Free of packages, for the bridge.
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from './system-error.ts';
import { writePrivate } from './write-private.ts';

/** What the running Patchbay says about itself. */
export interface RunFile {
  /** Version of the agreement between bridge and app, see BRIDGE_AGREEMENT. */
  readonly agreement: number;
  readonly pid: number;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly version: string;
  readonly mode: 'app' | 'headless';
  /** Who started it; missing in the files of older versions. */
  readonly startedBy?: 'person' | 'bridge';
  /** Port of the MCP listener on 127.0.0.1. */
  readonly mcpPort: number;
  readonly mcpUrl: string;
  readonly monitorUrl: string;
  readonly tokens: { readonly mcp: string; readonly viewer: string; readonly operator: string };
}

/** Replaces the run file. */
export async function writeRunFile(dataDir: string, content: RunFile): Promise<void> {
  await writePrivate(fileIn(dataDir), `${JSON.stringify(content, undefined, 2)}\n`);
}

/** The content; undefined when there is none or it is not one of ours. It may be stale: only a handshake tells. */
export async function readRunFile(dataDir: string): Promise<RunFile | undefined> {
  try {
    const content: unknown = JSON.parse(await readFile(fileIn(dataDir), 'utf8'));
    return isRunFile(content) ? content : undefined;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Removes the run file if it is still the one of process `pid`. */
export async function removeRunFile(dataDir: string, pid: number): Promise<void> {
  const content = await readRunFile(dataDir);
  if (content?.pid === pid) await rm(fileIn(dataDir), { force: true });
}

function fileIn(dataDir: string): string {
  return path.join(dataDir, 'run.json');
}

const NUMBERS = ['agreement', 'pid', 'startedAt', 'mcpPort'];
const TEXTS = ['version', 'mcpUrl', 'monitorUrl'];

function isRunFile(value: unknown): value is RunFile {
  if (!isRecord(value) || !isRecord(value['tokens'])) return false;
  const { tokens, mode } = value;
  return (
    NUMBERS.every((key) => Number.isSafeInteger(value[key])) &&
    TEXTS.every((key) => typeof value[key] === 'string') &&
    (mode === 'app' || mode === 'headless') &&
    [undefined, 'person', 'bridge'].some((one) => one === value['startedBy']) &&
    ['mcp', 'viewer', 'operator'].every((key) => typeof tokens[key] === 'string')
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
