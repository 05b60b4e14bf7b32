// The few things ssh2 1.17 does but offers no public way to: each is looked up with a check, and tested.
import type { Client } from 'ssh2';

interface Channels {
  /** Number given to the channel that was asked for last. */
  readonly _cur: number;
  readonly _channels: Readonly<Record<number, unknown>>;
}

interface Inside {
  readonly _protocol: { ping(): void };
  /** Waiting for answers to global requests, in order: first argument is true or an error on refusal. */
  readonly _callbacks: ((refused: unknown) => void)[];
  readonly _chanMgr: Channels;
}

/**
 * Sends a keep-alive request; `answered` is called when the server's reply came (a refusal is a reply), with false
 * when the connection ended first.
 */
export function sendPing(client: Client, answered: (alive: boolean) => void): void {
  const inside = insideOf(client);
  inside._callbacks.push((refused) => answered(!(refused instanceof Error)));
  inside._protocol.ping();
}

/** Makes the key exchange sign over the line the server really sent, when ssh2 was shown another one. */
export function signOverLine(client: Client, line: string): void {
  Object.defineProperty(insideOf(client)._protocol, '_remoteIdentRaw', {
    get: () => Buffer.from(line, 'latin1'),
    set: () => {},
  });
}

/** To be taken right after exec() or shell(): closes that channel later, even when ssh2 has given up on it. */
export function channelCloser(client: Client): () => void {
  const channels = insideOf(client)._chanMgr;
  const id = channels._cur;
  return () => {
    const channel = channels._channels[id];
    if (isClosable(channel)) channel.close();
  };
}

function isClosable(channel: unknown): channel is { close(): void } {
  return typeof channel === 'object' && channel !== null && 'close' in channel && typeof channel.close === 'function';
}

function insideOf(client: Client): Inside {
  if (!isInside(client)) throw new Error('this version of ssh2 is built in another way');
  return client;
}

function isInside(client: unknown): client is Inside {
  if (typeof client !== 'object' || client === null) return false;
  if (!('_protocol' in client) || !('_callbacks' in client) || !('_chanMgr' in client)) return false;
  const { _protocol: protocol, _callbacks: callbacks, _chanMgr: channels } = client;
  if (typeof protocol !== 'object' || protocol === null || !('ping' in protocol)) return false;
  return Array.isArray(callbacks) && typeof channels === 'object' && channels !== null && '_cur' in channels;
}
