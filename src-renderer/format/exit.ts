// How a command ended, in two words.
import { assertNever } from '../../src-shared/assert-never.ts';
import type { CommandView } from '../../src-shared/model/index.ts';

/** A word and the kind of colour it has. */
export interface Outcome {
  readonly word: string;
  readonly tone: 'ok' | 'bad' | 'warn' | 'quiet' | 'live';
}

/** The outcome of a command as views show it. */
export function outcome(command: CommandView): Outcome {
  switch (command.status) {
    case 'queued':
      return { word: command.queuePosition === null ? 'queued' : `queued, ${command.queuePosition}`, tone: 'quiet' };
    case 'running':
      return { word: 'running', tone: 'live' };
    case 'exited':
      if (command.signal !== null) return { word: `killed by ${command.signal}`, tone: 'bad' };
      if (command.exitCode === null) return { word: 'ended', tone: 'quiet' };
      return { word: `exit ${command.exitCode}`, tone: command.exitCode === 0 ? 'ok' : 'bad' };
    case 'cancelled':
      return { word: 'cancelled', tone: 'warn' };
    case 'timed_out':
      return { word: 'timed out', tone: 'warn' };
    case 'lost':
      return { word: 'lost', tone: 'bad' };
    default:
      return assertNever(command.status);
  }
}

/** Milliseconds it has run so far, or took; null while it waits. */
export function elapsed(command: CommandView, now: number): number | null {
  if (command.startedAt === null) return null;
  return Math.max(0, (command.endedAt ?? now) - command.startedAt);
}
