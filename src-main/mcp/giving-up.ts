// Tells why a client no longer waits for an answer: because it wants the work stopped, or only because it is gone.

/** `stop`: somebody said that the work should end. `leave`: only the wait ends, the work goes on. */
export type GivingUp = 'stop' | 'leave';

/** The reason that we give ourselves when a response stream over HTTP is closed by the client. */
export const STREAM_CLOSED = 'the response stream was closed';

/**
 * Reads the abort reason that the SDK hands on: the `reason` text of `notifications/cancelled` (a DOMException where the
 * client gave none), or its own error for a closed connection or response stream. Clients of the official SDKs cancel by
 * themselves when their own patience ends, with the reason "MCP error -32001: Request timed out" (measured).
 */
export function givingUp(reason: unknown): GivingUp {
  if (typeof reason === 'string')
    return reason === STREAM_CLOSED || /time[ds]?[ -]?out|-32001/i.test(reason) ? 'leave' : 'stop';
  return reason instanceof DOMException && reason.name === 'AbortError' ? 'stop' : 'leave';
}

/** A signal that fires only when the client wants the work stopped. */
export function stopSignal(signal: AbortSignal): AbortSignal {
  const stop = new AbortController();
  const pass = (): void => {
    if (givingUp(signal.reason) === 'stop') stop.abort(signal.reason);
  };
  if (signal.aborted) pass();
  else signal.addEventListener('abort', pass, { once: true });
  return stop.signal;
}
