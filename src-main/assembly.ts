// Puts the parts of a running Patchbay together: settings, data folder, log, core, MCP, gateway, run file.
import path from 'node:path';
import { AppError } from '../src-shared/errors.ts';
import { PATCHBAY_VERSION } from '../src-shared/mcp-identity.ts';
import { ensurePrivateFolder } from './core/config/data-dir.ts';
import type { FolderLock } from './core/config/folder-lock.ts';
import { loadSettings } from './core/config/load.ts';
import type { LoadedSettings } from './core/config/load.ts';
import { clearQuit, markQuit } from './core/config/quit-marker.ts';
import { removeRunFile } from './core/config/run-file.ts';
import { openTokens } from './core/config/tokens.ts';
import { reasonOf } from './core/config/system-error.ts';
import { createLog } from './core/log/logger.ts';
import { createSecretNet } from './core/log/secret-net.ts';
import { createCore } from './core/sessions/create-core.ts';
import { claimFolder } from './instance.ts';
import { listen } from './listeners.ts';
import { findOpenFiles, tellOpenFiles } from './open-files.ts';
import type { Running, StartOptions, StartResult } from './running.ts';

/** Starts Patchbay. Rejects only on faults of our own; what a person can mend is a result. */
export async function startPatchbay(options: StartOptions): Promise<StartResult> {
  const loaded = await loadSettings(options.facts.environment);
  if (!loaded.ok) return { kind: 'refused', faults: loaded.faults };
  const folder = await prepareFolder(loaded.dataDir);
  if (!folder.ok) return { kind: 'refused', faults: [folder.fault] };
  const claim = await claimFolder(loaded.dataDir);
  if (claim.kind === 'theirs') return { kind: 'elsewhere', other: claim.other };
  if (claim.kind === 'silent') return { kind: 'refused', faults: [silentFault(loaded.dataDir)] };
  return startIn({ ...options, loaded, folderMode: folder.mode }, claim.lock);
}

/** What is known before anything is opened. */
interface Prepared extends StartOptions {
  readonly loaded: LoadedSettings;
  /** The rights that the data folder had, where others had some. */
  readonly folderMode: number | undefined;
}

async function startIn(prepared: Prepared, lock: FolderLock): Promise<StartResult> {
  // What was opened, in order; closed from its end.
  const closing: (() => Promise<void>)[] = [() => lock.release()];
  try {
    return { kind: 'running', running: await open(prepared, closing) };
  } catch (error) {
    await closeAll(closing);
    if (error instanceof AppError) return { kind: 'refused', faults: [`${error.message}. ${error.hint}`] };
    throw error;
  }
}

async function open(prepared: Prepared, closing: (() => Promise<void>)[]): Promise<Running> {
  const { loaded, mode, startedBy, facts, echo } = prepared;
  const { dataDir, settings } = loaded;
  const wasOpen = await findOpenFiles(dataDir, prepared.folderMode);
  const secrets = createSecretNet();
  const tokens = await openTokens(dataDir, secrets);
  const log = await createLog({
    folder: path.join(dataDir, 'logs'),
    level: settings.LOG_LEVEL,
    secrets,
    ...(echo === undefined ? {} : { echo }),
  });
  closing.push(() => log.close());
  const core = await createCore({ settings, dataDir, mode, version: PATCHBAY_VERSION, log, secrets });
  let why = 'the start failed';
  closing.push(() => core.close(why));
  const { gateway, owner } = await listen({ facts, mode, startedBy, loaded, tokens, core, log }, closing);
  tellOpenFiles(wasOpen, dataDir, { cards: core.cards, log });
  await clearQuit(dataDir);
  log.info('Patchbay runs', { version: PATCHBAY_VERSION, mode, pid: process.pid, ...gateway.endpoints });
  let ending: Promise<void> | undefined;
  const end = async (by: 'person' | 'system', reason: string): Promise<void> => {
    log.info('Patchbay ends', { by, reason });
    // First of all, so that a bridge that loses its connection finds the marker and no address.
    if (by === 'person') await markQuit(dataDir);
    await removeRunFile(dataDir, process.pid);
    why = reason;
    await closeAll(closing);
  };
  const close: Running['close'] = (by, reason) => (ending ??= end(by, reason));
  return { core, gateway, owner, settings, dataDir, log, tokens: () => tokens.current, close };
}

/** Every part is closed, whatever happens to the others; the first fault is reported at the end. */
async function closeAll(closing: (() => Promise<void>)[]): Promise<void> {
  const faults: unknown[] = [];
  for (const close of closing.splice(0).toReversed()) {
    try {
      await close();
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 0) throw faults[0];
}

type Folder = { readonly ok: true; readonly mode: number | undefined } | { readonly ok: false; readonly fault: string };

async function prepareFolder(dataDir: string): Promise<Folder> {
  try {
    return { ok: true, mode: await ensurePrivateFolder(dataDir) };
  } catch (error) {
    return { ok: false, fault: `Data folder ${dataDir} cannot be used: ${reasonOf(error)}` };
  }
}

function silentFault(dataDir: string): string {
  return `Another Patchbay has the data folder ${dataDir} and does not answer. End it, then start again.`;
}
