// Stops what a shell is running: INT, then TERM, then KILL, to everything the command started.
import type { Clock } from '../clock.ts';
import type { Log } from '../core.ts';
import { KILL_LINE, killText } from '../shells/kill-script.ts';
import type { KillOrder } from '../shells/kill-script.ts';
import type { LiveShell } from '../shells/live-shell.ts';
import type { OpenExec } from './port.ts';

export type StopSignal = KillOrder['signal'];

/** How long each signal may take before the next, harder one: all are gone within 5 s (FC18). */
const STAGE_MS: Readonly<Record<StopSignal, number>> = { INT: 1200, TERM: 1000, KILL: 1500 };
const STAGES: readonly StopSignal[] = ['INT', 'TERM', 'KILL'];
/** Pause between two passes of the same signal: the rest of `a; b; c` goes on, and has to be met again. */
const PASS_MS = 120;
/** Deadline for one pass, opening its channel included. */
const PASS_TIMEOUT_MS = 2000;

/** What stopping needs. */
export interface StopParts {
  readonly shell: LiveShell;
  readonly open: OpenExec;
  readonly first: StopSignal;
  /** Background jobs of earlier commands, which stay. */
  readonly spared: readonly number[];
  /** Resolves when the command has ended. */
  readonly ended: Promise<unknown>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Resolves when the command has ended; as a last resort the shell is ended, too. */
export async function stopCommand(parts: StopParts): Promise<void> {
  let over = false;
  const ended = parts.ended.then(() => {
    over = true;
  });
  const isOver = (): boolean => over;
  for (const signal of STAGES.slice(STAGES.indexOf(parts.first))) {
    const until = parts.clock.now() + STAGE_MS[signal];
    while (!isOver() && parts.clock.now() < until) {
      await signalOnce(parts, { signal, withShell: false });
      await Promise.race([ended, pause(parts.clock, PASS_MS)]);
    }
    if (isOver()) return;
  }
  parts.log.warn('a command did not end when it was killed; its shell is ended', { pid: parts.shell.greeting.pid });
  await signalOnce(parts, { signal: 'KILL', withShell: true });
  await Promise.race([ended, pause(parts.clock, PASS_MS * 4)]);
  if (!isOver()) parts.shell.close();
  await ended;
}

/** A pass on a channel of its own; where the server gives none, a signal request on the shell's channel. */
async function signalOnce(parts: StopParts, how: Pick<KillOrder, 'signal' | 'withShell'>): Promise<void> {
  const order = { shellPid: parts.shell.greeting.pid, spared: parts.spared, ...how };
  try {
    await withDeadline(parts.clock, passOver(parts.open, killText(order)));
  } catch (error) {
    parts.log.debug('no second channel to stop a command', { error: String(error) });
    parts.shell.signal(how.signal);
  }
}

async function passOver(open: OpenExec, text: string): Promise<void> {
  const channel = await open(KILL_LINE);
  await new Promise<void>((resolve) => {
    channel.onClose = () => resolve();
    void channel.write(text).then(() => channel.endInput());
  });
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.after(ms, resolve));
}

async function withDeadline(clock: Clock, work: Promise<void>): Promise<void> {
  let cancel = (): void => undefined;
  const late = new Promise<void>((_, reject) => {
    cancel = clock.after(PASS_TIMEOUT_MS, () => reject(new Error('no answer in time')));
  });
  try {
    await Promise.race([work, late]);
  } finally {
    cancel();
  }
}
