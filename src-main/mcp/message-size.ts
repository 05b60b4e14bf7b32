// Remembers how many bytes a message had on the wire, so that the log need not write it as text once more.
import type { JSONRPCMessage } from '@modelcontextprotocol/server';

const sizes = new WeakMap<object, number>();

/** Notes the bytes of a message that a transport has read or written. */
export function noteSize(message: object, bytes: number): void {
  sizes.set(message, bytes);
}

/** Bytes of a message; counted anew where no transport has noted them. */
export function sizeOf(message: JSONRPCMessage): number {
  return sizes.get(message) ?? Buffer.byteLength(JSON.stringify(message));
}
