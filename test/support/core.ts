// A real core on a data folder and a home folder of the test's own.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ClientActor, JournalEvent, PersonActor } from '../../src-shared/model/index.ts';
import type { Settings } from '../../src-shared/settings/index.ts';
import { SETTINGS, SETTING_NAMES } from '../../src-shared/settings/index.ts';
import type { Core, CoreOptions } from '../../src-main/core/core.ts';
import { createSecretNet } from '../../src-main/core/log/secret-net.ts';
import { createCore } from '../../src-main/core/sessions/create-core.ts';
import type { Command, ConnectRequest, Session } from '../../src-main/core/sessions/port.ts';
import type { TestSshd } from './sshd.ts';

/** An assistant and a person, for calls that need one. */
export const assistant: ClientActor = { kind: 'client', id: 'client-1', name: 'Test client', version: '1' };
export const person: PersonActor = { kind: 'person', id: 'view-1', view: 'window' };

/** The core and what a test needs around it. */
export interface TestCore {
  readonly core: Core;
  readonly dataDir: string;
  /** Everything logged so far, as JSON lines. */
  readonly logged: string[];
  /** The journal so far, oldest first. */
  journal(): Promise<readonly JournalEvent[]>;
  /** Opens a session on a test server, by the key of its first account unless `request` says otherwise. */
  connect(name: string, server: TestSshd, request?: Partial<ConnectRequest>): Promise<Session>;
  /** Closes the core and removes the folders. */
  close(): Promise<void>;
}

/** Starts a core. The home folder of this process is an empty one until close(), so that no file of the machine's user counts. */
export async function startCore(
  options: {
    readonly settings?: Partial<Settings>;
    readonly mode?: CoreOptions['mode'];
    /** Called with the data folder before the core starts. */
    readonly prepare?: (dataDir: string) => void;
  } = {},
): Promise<TestCore> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'patchbay-core-'));
  const dataDir = path.join(folder, 'data');
  fs.mkdirSync(dataDir, { mode: 0o700 });
  options.prepare?.(dataDir);
  const home = process.env['HOME'];
  process.env['HOME'] = folder;
  const logged: string[] = [];
  const write = (level: string) => (message: string, details?: object) =>
    void logged.push(JSON.stringify({ level, message, ...details }));
  const log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  const settings = { ...defaultSettings(), ...options.settings };
  const mode = options.mode ?? 'headless';
  const core = await createCore({ settings, dataDir, mode, version: '0.0.0', log, secrets: createSecretNet() });
  return {
    ...{ core, dataDir, logged },
    journal: async () => (await core.journal.search({ limit: 1000 })).toReversed(),
    async connect(name, server, request) {
      const session = await core.sessions.connect(
        {
          ...{ name, host: server.host, port: server.port },
          credentials: { username: server.account.name, keyFile: server.account.keyFile },
          ...request,
        },
        assistant,
        new AbortController().signal,
      );
      // As ssh_connect does, whose result has them.
      session.takeNotices();
      return session;
    },
    async close() {
      await core.close('end of the test');
      if (home === undefined) delete process.env['HOME'];
      else process.env['HOME'] = home;
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs a command to its end; the answer is what a caller would see. */
export async function runToEnd(
  session: Session,
  command: string,
): Promise<{ status: string; exitCode: number | null; stdout: string; stderr: string }> {
  const run = session.run({ command, timeoutMs: 60_000 }, assistant);
  await run.ended;
  return { status: run.view().status, exitCode: run.view().exitCode, ...(await outputOf(run)) };
}

/** Both streams as text. */
export async function outputOf(command: Command): Promise<{ stdout: string; stderr: string }> {
  const read = async (name: 'stdout' | 'stderr'): Promise<string> =>
    (await command.stream(name).read(0, 10_000_000)).toString();
  return { stdout: await read('stdout'), stderr: await read('stderr') };
}

function defaultSettings(): Settings {
  const values = Object.fromEntries(SETTING_NAMES.map((name) => [name, SETTINGS[name].default]));
  return values as unknown as Settings;
}
