// The entry that a person puts into the settings of an MCP client so that it starts our bridge.
import path from 'node:path';
import { dataDirOf } from './data-dir.ts';
import type { Environment } from './data-dir.ts';

/** One server as `mcpServers` of a client's settings names it. */
export interface ServerEntry {
  /** Absolute path of a program. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** What is known about the running program. */
export interface ProgramFacts {
  /** Absolute path of the Node or Electron program that runs. */
  readonly execPath: string;
  /** True in Electron: it then has to be told to run the bridge as plain Node. */
  readonly isElectron: boolean;
  /** Absolute path of a Node on this computer; used in place of an Electron that was fetched for a clone. */
  readonly node?: string | undefined;
  /** Folder of the built programs. */
  readonly outDir: string;
  readonly environment: Environment;
}

/** Clients whose entries we know. */
export type EntryStyle = 'claude-desktop' | 'claude-code';

/** What clients pass on to their servers of all that the data folder depends on; the rest has to be in the entry. */
const PASSED_ON = ['HOME', 'APPDATA'];

/** The server alone. */
export function serverEntry(facts: ProgramFacts): ServerEntry {
  const command = programOf(facts);
  const asNode = facts.isElectron && command === facts.execPath;
  const env = { ...(asNode ? { ELECTRON_RUN_AS_NODE: '1' } : {}), ...unusualPlaces(facts.environment) };
  return {
    command,
    args: [path.join(facts.outDir, 'bridge.js')],
    ...(Object.keys(env).length > 0 ? { env } : {}),
  };
}

/** The window and the terminal of one clone name the same program; an installed app brings its own and needs no other. */
function programOf({ execPath, isElectron, node, outDir }: ProgramFacts): string {
  const isInstalled = outDir.includes(`app.asar${path.sep}`);
  return isElectron && !isInstalled && node !== undefined ? node : execPath;
}

/**
 * The bridge has to look in the same place, also where only XDG_DATA_HOME moves the data folder: clients keep that variable
 * to themselves.
 */
function unusualPlaces(environment: Environment): Record<string, string> {
  const folder = dataDirOf(environment);
  const bare = Object.fromEntries(PASSED_ON.map((name) => [name, environment[name]]));
  const config = environment['PATCHBAY_CONFIG'];
  return {
    ...(environment['PATCHBAY_DATA_DIR'] || folder !== dataDirOf(bare) ? { PATCHBAY_DATA_DIR: folder } : {}),
    ...(config ? { PATCHBAY_CONFIG: config } : {}),
  };
}

/** The whole entry as JSON text, ready to be pasted. Claude Code wants the type named, Claude Desktop knows no other. */
export function clientEntry(facts: ProgramFacts, style: EntryStyle): string {
  const entry = serverEntry(facts);
  const patchbay = style === 'claude-code' ? { type: 'stdio', ...entry } : entry;
  return JSON.stringify({ mcpServers: { patchbay } }, undefined, 2);
}
