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
/** Deadline for one pass, opening its channel included: all stages together stay under 10 s on a link that has died. */
const PASS_TIMEOUT_MS = 1800;
/** How long the end of a shell that was killed or closed may take. */
const CLOSE_MS = 500;

/** What stopping needs. */
export interface StopParts {
  readonly shell: LiveShell;
  readonly open: OpenExec;
  readonly first: StopSignal;
  /** Background jobs of earlier commands, which stay. */
  readonly spared: readonly number[];
  /** Resolves when the command has ended. */
  readonly ended: Promise<unknown>;
  /** No signal reaches the command: its shell is let go without it. */
  readonly outOfReach: () => void;
  /** Not even the shell's channel can be closed: the connection is of no use. Has to bring `ended` about. */
  readonly giveUp: () => void;
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
      await signalOnce(parts, { signal, toShell: 'INT' });
      await Promise.race([ended, pause(parts.clock, PASS_MS)]);
    }
    if (isOver()) return sweep(parts);
  }
  parts.log.warn('a command did not end when it was killed; its shell is ended', { pid: parts.shell.greeting.pid });
  await signalOnce(parts, { signal: 'KILL', toShell: 'KILL' });
  await Promise.race([ended, pause(parts.clock, CLOSE_MS)]);
  if (isOver()) return;
  parts.outOfReach();
  parts.shell.close();
  await Promise.race([ended, pause(parts.clock, CLOSE_MS)]);
  if (!isOver()) parts.giveUp();
  await ended;
}

/** Ends a shell that was out of reach and what it ran, over a new connection. Never rejects. */
export async function endStuck(open: OpenExec, shell: LiveShell, clock: Clock): Promise<void> {
  const order = orderFor(shell, { signal: 'KILL', toShell: 'KILL' });
  const text = killText({ ...order, onlyIf: shell.greeting.word });
  // Where it fails, the command's notice has said already that it may still run.
  await passOver(open, text, clock).catch(() => undefined);
}

/** The order for the latest command of a shell. */
function orderFor(shell: LiveShell, how: Pick<KillOrder, 'signal' | 'toShell'>): KillOrder {
  return { shellPid: shell.greeting.pid, marker: shell.marker, spared: shell.jobs, ...how };
}

/** What the command had put into the background goes too: it ignores INT, and the shell does not wait for it. */
async function sweep(parts: StopParts): Promise<void> {
  if ((await signalOnce(parts, { signal: 'TERM', toShell: 'nothing' })) === 0) return;
  await pause(parts.clock, PASS_MS);
  await signalOnce(parts, { signal: 'KILL', toShell: 'nothing' });
}

/** A pass on a channel of its own; where the server gives none, a signal request on the shell's channel. Resolves with how many got it, 0 if unknown. */
async function signalOnce(parts: StopParts, how: Pick<KillOrder, 'signal' | 'toShell'>): Promise<number> {
  const order = { ...orderFor(parts.shell, how), spared: parts.spared };
  try {
    return await passOver(parts.open, killText(order), parts.clock);
  } catch (error) {
    parts.log.debug('no second channel to stop a command', { error: String(error) });
    if (how.toShell !== 'nothing') parts.shell.signal(how.signal);
    return 0;
  }
}

/** One pass; rejects when there is no answer in time. A channel that opens too late is not used: it would meet the next command. */
async function passOver(open: OpenExec, text: string, clock: Clock): Promise<number> {
  let late = false;
  let close = (): void => undefined;
  const pass = async (): Promise<number> => {
    const channel = await open(KILL_LINE);
    if (late) {
      channel.close();
      return 0;
    }
    close = () => channel.close();
    const said: Buffer[] = [];
    channel.onStdout = (bytes) => said.push(bytes);
    await new Promise<void>((resolve) => {
      channel.onClose = () => resolve();
      void channel.write(text).then(() => channel.endInput());
    });
    // Start-up files may print before it.
    return Number(/(\d+)\s*$/.exec(Buffer.concat(said).toString('utf8'))?.[1] ?? 0);
  };
  try {
    return await withDeadline(clock, pass());
  } catch (error) {
    late = true;
    close();
    throw error;
  }
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
