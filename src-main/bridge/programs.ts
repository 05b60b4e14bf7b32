// Which program the bridge starts when no Patchbay runs: the desktop app where there is a display, else the headless one.
import { access } from 'node:fs/promises';
import path from 'node:path';
import type { Environment } from '../core/config/data-dir.ts';

/** A program to start. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Environment;
}

/** What is known about this bridge. */
export interface BridgeFacts {
  /** The Node or Electron program that runs the bridge. */
  readonly execPath: string;
  readonly isElectron: boolean;
  /** Folder of the built programs. */
  readonly outDir: string;
  readonly environment: Environment;
  readonly platform: NodeJS.Platform;
  readonly isRoot: boolean;
}

/** Programs in the order in which they are tried; the next one when one cannot run on this machine. */
export async function programsToTry(facts: BridgeFacts): Promise<readonly Program[]> {
  const app = hasDisplay(facts) ? await desktopApp(facts) : undefined;
  return app === undefined ? [headless(facts)] : [app, headless(facts)];
}

function headless({ execPath, isElectron, outDir, environment }: BridgeFacts): Program {
  const asNode = isElectron ? { ELECTRON_RUN_AS_NODE: '1' } : {};
  return {
    command: execPath,
    args: [path.join(outDir, 'headless.js'), '--idle-exit'],
    environment: { ...environment, ...asNode },
  };
}

async function desktopApp(facts: BridgeFacts): Promise<Program | undefined> {
  const main = path.join(facts.outDir, 'main.js');
  // In a package everything lies in one archive, which the program finds by itself.
  const isPackaged = facts.isElectron && facts.outDir.includes(`app.asar${path.sep}`);
  const command = facts.isElectron ? facts.execPath : await developmentElectron(facts);
  if (command === undefined || (!isPackaged && !(await exists(main)))) return undefined;
  const { ELECTRON_RUN_AS_NODE: _, ...environment } = facts.environment;
  const args = [
    ...(facts.isRoot && facts.platform === 'linux' ? ['--no-sandbox'] : []),
    ...(isPackaged ? [] : [path.dirname(facts.outDir)]),
    '--hidden',
  ];
  // So that the entry which the app shows names the same Node.
  const node = facts.isElectron ? {} : { PATCHBAY_NODE: facts.execPath };
  return { command, args, environment: { ...environment, ...node } };
}

/** The Electron that `npm start` put into node_modules. */
async function developmentElectron({ outDir, platform }: BridgeFacts): Promise<string | undefined> {
  const names: Partial<Record<NodeJS.Platform, string>> = {
    darwin: 'Electron.app/Contents/MacOS/Electron',
    win32: 'electron.exe',
  };
  const dist = path.join(path.dirname(outDir), 'node_modules', 'electron', 'dist');
  const file = path.join(dist, names[platform] ?? 'electron');
  return (await exists(file)) ? file : undefined;
}

function hasDisplay({ platform, environment }: BridgeFacts): boolean {
  if (platform !== 'linux') return true;
  return Boolean(environment['DISPLAY']) || Boolean(environment['WAYLAND_DISPLAY']);
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
