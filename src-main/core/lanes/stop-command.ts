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
      await signalOnce(parts, { signal, toShell: signal === 'KILL' ? 'INT' : signal });
      await Promise.race([ended, pause(parts.clock, PASS_MS)]);
    }
    if (isOver()) return sweep(parts);
  }
  parts.log.warn('a command did not end when it was killed; its shell is ended', { pid: parts.shell.greeting.pid });
  await signalOnce(parts, { signal: 'KILL', toShell: 'KILL' });
  await Promise.race([ended, pause(parts.clock, PASS_MS * 4)]);
  if (!isOver()) parts.shell.close();
  await ended;
}

/** What the command had put into the background goes too: it ignores INT, and the shell does not wait for it. */
async function sweep(parts: StopParts): Promise<void> {
  if ((await signalOnce(parts, { signal: 'TERM', toShell: 'nothing' })) === 0) return;
  await pause(parts.clock, PASS_MS);
  await signalOnce(parts, { signal: 'KILL', toShell: 'nothing' });
}

/** A pass on a channel of its own; where the server gives none, a signal request on the shell's channel. Resolves with how many got it, 0 if unknown. */
async function signalOnce(parts: StopParts, how: Pick<KillOrder, 'signal' | 'toShell'>): Promise<number> {
  const order = { shellPid: parts.shell.greeting.pid, spared: parts.spared, ...how };
  try {
    return await withDeadline(parts.clock, passOver(parts.open, killText(order)));
  } catch (error) {
    parts.log.debug('no second channel to stop a command', { error: String(error) });
    if (how.toShell !== 'nothing') parts.shell.signal(how.signal);
    return 0;
  }
}

async function passOver(open: OpenExec, text: string): Promise<number> {
  const channel = await open(KILL_LINE);
  const said: Buffer[] = [];
  channel.onStdout = (bytes) => said.push(bytes);
  await new Promise<void>((resolve) => {
    channel.onClose = () => resolve();
    void channel.write(text).then(() => channel.endInput());
  });
  // Start-up files may print before it.
  return Number(/(\d+)\s*$/.exec(Buffer.concat(said).toString('utf8'))?.[1] ?? 0);
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.after(ms, resolve));
}

async function withDeadline<Value>(clock: Clock, work: Promise<Value>): Promise<Value> {
  let cancel = (): void => undefined;
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(PASS_TIMEOUT_MS, () => reject(new Error('no answer in time')));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    cancel();
  }
}
