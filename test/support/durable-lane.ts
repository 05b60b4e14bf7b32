// A lane on a shell of this machine whose durable commands are followed beside it, for hosts that no test server is.
import fs from 'node:fs';
import path from 'node:path';
import { systemClock } from '../../src-main/core/clock.ts';
import { DurableRuns } from '../../src-main/core/durable/durable-runs.ts';
import { DurableRecords } from '../../src-main/core/durable/records.ts';
import type { AgentLane } from '../../src-main/core/lanes/port.ts';
import type { RunRequest } from '../../src-main/core/sessions/port.ts';
import { CLIENT, finished, makeLane } from './lane.ts';
import type { Ran } from './lane.ts';
import { createLocalAccount } from './local-shell.ts';
import type { LocalAccount } from './local-shell.ts';

/** The lane. */
export interface DurableLane {
  readonly lane: AgentLane;
  /** Runs a command in the lane itself. */
  plain(command: string): Promise<Ran>;
  /** Runs a durable one to its end; with the error of one that was not started. */
  durable(command: string, more?: Partial<RunRequest>): Promise<Ran & { readonly fault: Error | null }>;
  close(): Promise<void>;
}

const silent = (): void => undefined;
const log = { debug: silent, info: silent, warn: silent, error: silent };

/** Starts it; `folder` is the test's own and keeps spools and records. */
export async function startDurableLane(folder: string, account: LocalAccount): Promise<DurableLane> {
  const { open, end } = createLocalAccount(account);
  const runs = new DurableRuns({
    ...{ sessionName: 'web-1', limits: { spoolBytes: 0 }, clock: systemClock, log },
    spoolDir: fs.mkdtempSync(path.join(folder, 'spool-')),
    records: new DurableRecords(fs.mkdtempSync(path.join(folder, 'data-')), log),
    hooks: { onCommandChange: silent },
    about: () => ({
      ...{ sessionName: 'web-1', host: 'h', port: 22, username: 'u', fingerprint: 'SHA256:x', hostKeyType: 'k' },
      login: { unattended: true, keyFile: null, agent: false, identityFiles: [] },
    }),
  });
  const { lane, close } = makeLane(open, { onDetach: (command, place, exec) => runs.launch(command, place, exec) });
  await lane.start();
  return {
    lane,
    plain: (command) => finished(lane.run({ command, timeoutMs: 60_000 }, CLIENT)),
    async durable(command, more = {}) {
      const run = lane.run({ command, timeoutMs: 60_000, durable: true, ...more }, CLIENT);
      await run.ended;
      return { ...(await finished(run)), fault: run.fault };
    },
    async close() {
      await runs.close();
      await close();
      end();
    },
  };
}
