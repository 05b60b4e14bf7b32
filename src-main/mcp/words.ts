// Small texts that several results share: times, durations, places.
import type { CommandView } from '../../src-shared/model/index.ts';

/** A moment as ISO 8601 in UTC. */
export const iso = (epochMs: number): string => new Date(epochMs).toISOString();

/** A moment that may not have come yet. */
export const isoOrNull = (epochMs: number | null): string | null => (epochMs === null ? null : iso(epochMs));

/** How long a command has run, or ran; null before its start. Milliseconds. */
export function durationOf(view: CommandView, now: number = Date.now()): number | null {
  return view.startedAt === null ? null : Math.max(0, (view.endedAt ?? now) - view.startedAt);
}

/** `850 ms`, `12.3 s`, `4 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** How a command stands, in a sentence without its full stop. */
export function commandState(view: CommandView): string {
  const ms = durationOf(view);
  const time = ms === null ? '' : ` after ${duration(ms)}`;
  switch (view.status) {
    case 'queued':
      return `queued at position ${view.queuePosition ?? 1}`;
    case 'running':
      return `running for ${duration(ms ?? 0)}`;
    case 'exited':
      return `exited with code ${view.exitCode ?? 'unknown'}${view.signal === null ? '' : ` (signal ${view.signal})`}${time}`;
    case 'cancelled':
    case 'timed_out':
    case 'lost':
      return `${view.status}${view.exitCode === null ? '' : ` with code ${view.exitCode}`}${time}`;
  }
}
