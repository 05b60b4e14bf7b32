// The headless program: Patchbay without a window, for servers, for tests, and for bridges where there is no display.
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { answerWish } from './answer-wish.ts';
import { startPatchbay } from './assembly.ts';
import { clientEntry } from './core/config/client-entry.ts';
import type { ProgramFacts } from './core/config/client-entry.ts';
import { dataDirOf } from './core/config/data-dir.ts';
import { findNode } from './core/config/find-node.ts';
import { runningLines } from './headless-lines.ts';
import { watchIdle } from './idle-exit.ts';
import { keepGoing } from './process-faults.ts';
import { parseOptions } from './program-options.ts';
import type { RunWish } from './program-options.ts';
import type { Running, StartResult } from './running.ts';
import { meetOther } from './second-start.ts';
import { refuse, say } from './terminal-talk.ts';

/** Longest time that closing may take before the program ends anyway. */
const CLOSE_MS = 8_000;
const MINUTE_MS = 60_000;
/** A start that a signal meets half-way is given as long to get to its end, from where it can be undone. */
const START_GRACE_MS = 1_000;

const facts: ProgramFacts = {
  execPath: process.execPath,
  isElectron: process.versions['electron'] !== undefined,
  node: await findNode(process.env),
  outDir: path.dirname(fileURLToPath(import.meta.url)),
  environment: process.env,
};

// Whoever started us may be gone: their closed pipe is no reason to end.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
const wish = parseOptions(process.argv.slice(2));
await (wish.kind === 'run' ? run(wish) : answerWish(wish, facts));

async function run(wish: RunWish): Promise<void> {
  // From the start on: whoever reads the run file may send a signal before this function goes on.
  const isUp = endOnSignals(wish.idleExit);
  const start = (): Promise<StartResult> => startAs(wish);
  const first = await start();
  // A bridge that was a moment late has nobody to tell.
  const mayMeet = first.kind === 'elsewhere' && !wish.idleExit;
  const result = mayMeet ? await meetOther(dataDirOf(facts.environment), first.other, { wish, start }) : first;
  if (result === undefined || result.kind === 'elsewhere') return;
  if (result.kind === 'refused') return refuse(result.faults);
  const { running } = result;
  keepGoing(running);
  isUp(running);
  if (wish.idleExit) endWhenIdle(running);
  else say(runningLines(running, clientEntry(facts, 'claude-desktop'), facts.environment['PATCHBAY_NO_WINDOW']));
}

function startAs({ idleExit }: RunWish): Promise<StartResult> {
  const echo = idleExit ? {} : { echo: (line: string) => void process.stderr.write(line) };
  return startPatchbay({ mode: 'headless', startedBy: idleExit ? 'bridge' : 'person', facts, ...echo });
}

/** A person who ends what a person started wants it to stay ended; what a bridge started may be started again. */
function byOf(signal: NodeJS.Signals, idleExit: boolean): 'person' | 'system' {
  // Bridges wait for the one that takes over and go on with it.
  return idleExit || signal === 'SIGUSR2' ? 'system' : 'person';
}

/** Listens from now on; the result is to be called with what runs. */
function endOnSignals(idleExit: boolean): (running: Running) => void {
  let up: Running | undefined;
  let asked: NodeJS.Signals | undefined;
  let giveUp: NodeJS.Timeout | undefined;
  const act = (running: Running, signal: NodeJS.Signals): void => {
    const reason = signal === 'SIGUSR2' ? 'another start takes over' : `signal ${signal}`;
    void end(running, byOf(signal, idleExit), reason);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const) {
    process.on(signal, () => {
      if (asked !== undefined && signal === 'SIGINT') process.exit(130);
      asked = signal;
      if (up !== undefined) return act(up, signal);
      giveUp ??= setTimeout(() => process.exit(128 + constants.signals[signal]), START_GRACE_MS).unref();
    });
  }
  return (running) => {
    up = running;
    clearTimeout(giveUp);
    if (asked !== undefined) act(running, asked);
  };
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
