// A desk and the bridges of one test, made before it and ended after it.
import { afterEach, beforeEach } from 'vitest';
import { createDesk } from './programs.ts';
import type { Desk, Variables } from './programs.ts';
import { startBridge } from './raw-bridge.ts';
import type { RawBridge } from './raw-bridge.ts';

/** What the tests of a file share. */
export interface BridgeDesk {
  /** The desk of the test that runs. */
  readonly desk: Desk;
  /** Starts a bridge on it. */
  bridge(extra?: Variables, args?: readonly string[]): RawBridge;
  /** How often an event of this type is in the journal. */
  journalCount(type: string): Promise<number>;
  /** The connections that the app sees now. */
  clientCount(): Promise<number>;
}

/** `ssh_list_sessions` as parameters of `tools/call`. */
export const LIST_CALL = { name: 'ssh_list_sessions', arguments: {} };

/** Registers the hooks; call it once at the top of a file. */
export function useBridgeDesk(): BridgeDesk {
  let desk: Desk | undefined;
  let bridges: RawBridge[] = [];
  const current = (): Desk => {
    if (desk === undefined) throw new Error('no test runs');
    return desk;
  };
  beforeEach(async () => {
    desk = await createDesk();
    bridges = [];
  });
  afterEach(async () => {
    await Promise.all(bridges.map((one) => one.stop()));
    await desk?.close();
  });
  const journalCount = async (type: string): Promise<number> =>
    (await current().journal()).split(`"type":"${type}"`).length - 1;
  return {
    get desk() {
      return current();
    },
    bridge(extra = {}, args = []) {
      const started = startBridge({ ...current().environment, ...extra }, args);
      bridges.push(started);
      return started;
    },
    journalCount,
    clientCount: async () => (await journalCount('client.connected')) - (await journalCount('client.gone')),
  };
}
