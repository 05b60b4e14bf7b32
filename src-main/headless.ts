// The headless program: Patchbay without a window, for servers, for tests, and for bridges where there is no display.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXIT_REFUSED, PATCHBAY_VERSION } from '../src-shared/mcp-identity.ts';
import { startPatchbay } from './assembly.ts';
import { clientEntry } from './core/config/client-entry.ts';
import type { ProgramFacts } from './core/config/client-entry.ts';
import { parseHeadlessArguments } from './headless-arguments.ts';
import type { HeadlessWish } from './headless-arguments.ts';
import { foundLines, runningLines } from './headless-lines.ts';
import { watchIdle } from './idle-exit.ts';
import { keepGoing } from './process-faults.ts';

import type { Running } from './running.ts';

/** Longest time that closing may take before the program ends anyway. */
const CLOSE_MS = 8_000;
const MINUTE_MS = 60_000;

const facts: ProgramFacts = {
  execPath: process.execPath,
  isElectron: process.versions['electron'] !== undefined,
  outDir: path.dirname(fileURLToPath(import.meta.url)),
  environment: process.env,
};

// Whoever started us may be gone: their closed pipe is no reason to end.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
await main(parseHeadlessArguments(process.argv.slice(2)));

async function main(wish: HeadlessWish): Promise<void> {
  switch (wish.kind) {
    case 'version':
      return say([PATCHBAY_VERSION]);
    case 'client-entry':
      return say([clientEntry(facts, wish.style)]);
    case 'mistake':
      return refuse([wish.fault]);
    case 'run':
      return run(wish.idleExit);
  }
}

async function run(idleExit: boolean): Promise<void> {
  const echo = idleExit ? {} : { echo: (line: string) => void process.stderr.write(line) };
  const result = await startPatchbay({ mode: 'headless', facts, ...echo });
  if (result.kind === 'refused') return refuse(result.faults);
  if (result.kind === 'elsewhere') return say(idleExit ? [] : foundLines(result.other));
  const { running } = result;
  keepGoing(running);
  endOnSignals(running, idleExit);
  if (idleExit) endWhenIdle(running);
  else say(runningLines(running, clientEntry(facts, 'claude-desktop')));
}

/** A person who ends what a person started wants it to stay ended; what a bridge started may be started again. */
function endOnSignals(running: Running, idleExit: boolean): void {
  let asked = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (asked && signal === 'SIGINT') process.exit(130);
      asked = true;
      void end(running, idleExit ? 'system' : 'person', `signal ${signal}`);
    });
  }
}

function endWhenIdle(running: Running): void {
  const { core, gateway, settings } = running;
  const usage = () => ({
    clients: core.clients.list().length,
    sessions: core.sessions.list().length,
    views: gateway.viewCount,
  });
  watchIdle(settings.IDLE_EXIT_MINUTES * MINUTE_MS, usage, () => void end(running, 'system', 'idle'));
}

async function end(running: Running, by: 'person' | 'system', reason: string): Promise<void> {
  const timer = setTimeout(() => process.exit(1), CLOSE_MS);
  await running.close(by, reason);
  clearTimeout(timer);
  process.exit(0);
}

function refuse(faults: readonly string[]): void {
  process.exitCode = EXIT_REFUSED;
  for (const fault of faults) process.stderr.write(`patchbay: ${fault}\n`);
}

function say(lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}
