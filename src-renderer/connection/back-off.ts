// How long to wait before the next try to reach the gateway.

const FIRST_MS = 300;
const LONGEST_MS = 5000;

/** Milliseconds before try number `attempt` (1 = the first after a loss): doubled each time, at most five seconds. */
export function backOffMs(attempt: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, attempt - 1));
}
