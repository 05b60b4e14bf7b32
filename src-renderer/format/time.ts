// Times and durations in words, short enough for a row and never jumping in width.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const two = (value: number): string => String(value).padStart(2, '0');

/** Running time as a clock: `0:42`, `12:05`, `1:02:33`. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / SECOND));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours === 0) return `${minutes}:${two(seconds % 60)}`;
  return `${hours}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** How long something took: `0.01 s`, `2.4 s`, `31.8 s`, `4:07`, `1:02:33`. */
export function duration(ms: number): string {
  if (ms < SECOND) return `${(Math.max(0, ms) / SECOND).toFixed(2)} s`;
  if (ms < MINUTE) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  return clock(ms);
}

/** How long ago, in a list: `just now`, `40 s`, `4 min`, `3 h`, `2 days`. */
export function ago(ms: number): string {
  if (ms < 5 * SECOND) return 'just now';
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`;
  const days = Math.floor(ms / DAY);
  return days === 1 ? '1 day' : `${days} days`;
}

/** Whole seconds until `at`, at least 0. */
export function secondsUntil(at: number, now: number): number {
  return Math.max(0, Math.ceil((at - now) / SECOND));
}

/** A moment for tooltips, in the person's own way of writing dates. */
export function moment(at: number): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
}
