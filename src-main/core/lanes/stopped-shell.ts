// Notices that the shell itself was stopped (kill -STOP $$): nothing would ever answer, and nobody would continue it.
import type { Clock } from '../clock.ts';
import { KILL_LINE } from '../shells/kill-script.ts';
import type { LiveShell } from '../shells/live-shell.ts';
import type { OpenExec } from './port.ts';

/** When a command that still runs is looked at, in milliseconds after its start; long ones are common, so ever less often. */
const LOOKS_MS: readonly number[] = [5000, 8000, 30_000, 60_000, 300_000, 900_000];
/** Deadline for one look. */
const LOOK_TIMEOUT_MS = 5000;

/** What watching needs. */
export interface WatchParts {
  readonly shell: LiveShell;
  readonly open: OpenExec;
  readonly clock: Clock;
  /** Called once, when two looks in a row found the shell stopped. */
  readonly onStopped: () => void;
}

/** Looks at the shell from time to time; returns what ends the watch. */
export function watchShell({ shell, open, clock, onStopped }: WatchParts): () => void {
  let over = false;
  let stopped = 0;
  let cancel = (): void => undefined;
  const plan = (step: number, from: number): void => {
    const at = LOOKS_MS[step];
    // A shell that was found stopped once is looked at again soon.
    const wait = stopped > 0 ? 3000 : at === undefined ? null : at - from;
    if (over || wait === null) return;
    cancel = clock.after(wait, () => {
      void isStopped(open, shell.greeting.pid, clock).then((found) => {
        stopped = found ? stopped + 1 : 0;
        if (over) return;
        if (stopped > 1) onStopped();
        else plan(step + 1, at ?? from);
      });
    });
  };
  plan(0, 0);
  return () => {
    over = true;
    cancel();
  };
}

/** False where the host does not tell, or gives no second channel. */
async function isStopped(open: OpenExec, pid: number, clock: Clock): Promise<boolean> {
  let stopWaiting = (): void => undefined;
  const late = new Promise<string>((resolve) => {
    stopWaiting = clock.after(LOOK_TIMEOUT_MS, () => resolve(''));
  });
  const said = await Promise.race([stateOf(open, pid).catch(() => ''), late]);
  stopWaiting();
  return /^State:\s*T/m.test(said);
}

async function stateOf(open: OpenExec, pid: number): Promise<string> {
  const channel = await open(KILL_LINE);
  const said: Buffer[] = [];
  channel.onStdout = (bytes) => said.push(bytes);
  await new Promise<void>((resolve) => {
    channel.onClose = () => resolve();
    void channel.write(`cat /proc/${pid}/status 2>/dev/null\nexit 0\n`).then(() => channel.endInput());
  });
  return Buffer.concat(said).toString('latin1');
}
