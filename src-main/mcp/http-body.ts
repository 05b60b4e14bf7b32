// Reads the body of a request up to a limit.
import type { IncomingMessage } from 'node:http';

/** A body, or why there is none. */
export type Body =
  { readonly kind: 'read'; readonly bytes: Buffer } | { readonly kind: 'too-long'; readonly bytes: number };

/** How many times the limit is read and thrown away, so that a sender that is a little too long gets its answer. */
const PATIENCE = 8;

/** Rejects when the sender hangs up. What is over the limit is counted, not kept. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Body> {
  let pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request) {
    if (!Buffer.isBuffer(piece)) throw new Error('the body was read as text');
    length += piece.length;
    if (length <= maxBytes) pieces.push(piece);
    else pieces = [];
    if (length > maxBytes * PATIENCE) break;
  }
  return length > maxBytes ? { kind: 'too-long', bytes: length } : { kind: 'read', bytes: Buffer.concat(pieces) };
}
