// Sends what the person types in order: one call at a time, what comes meanwhile waits and goes together.
import type { Call } from '../connection/calls.ts';

/** Most bytes in one call; base64 makes a third more of them. */
const MOST_BYTES = 512 * 1024;

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

/** Returns the function that takes bytes; `failed` hears why something was not typed (the rest of it is dropped). */
export function createTyping(call: Call, session: string, failed: (error: unknown) => void) {
  let waiting: number[] = [];
  let busy = false;
  const next = (): void => {
    if (busy || waiting.length === 0) return;
    const bytes = Uint8Array.from(waiting.slice(0, MOST_BYTES));
    waiting = waiting.slice(MOST_BYTES);
    busy = true;
    call('terminal.input', { session, base64: base64(bytes) })
      .catch((error: unknown) => {
        waiting = [];
        failed(error);
      })
      .finally(() => {
        busy = false;
        next();
      });
  };
  return (bytes: Uint8Array): void => {
    for (const byte of bytes) waiting.push(byte);
    next();
  };
}
