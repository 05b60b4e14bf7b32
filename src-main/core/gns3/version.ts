// Finds out which GNS3 server answers, and refuses those that Patchbay does not speak with.
import * as z from 'zod';
import { appError } from '../../../src-shared/errors.ts';
import { faultOf } from './faults.ts';
import { exchange } from './http.ts';
import type { Gns3Address, HttpAnswer } from './http.ts';

const VERSION_MS = 30_000;
const V3 = { method: 'GET', path: '/v3/version' } as const;
const V2 = { method: 'GET', path: '/v2/version' } as const;

const versionSchema = z.object({ version: z.string() });

/** A version of the server. */
export interface Gns3Version {
  /** As the server says it, such as `3.1.0a2`. */
  readonly text: string;
  readonly major: number;
  readonly minor: number;
}

/** Asks until it has been answered once. */
export function createVersionCheck(address: Gns3Address): () => Promise<Gns3Version> {
  let known: Promise<Gns3Version> | undefined;
  return () => {
    known ??= ask(address).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}

/** Whether `version` is 3.0.x, where a running link takes no cleared filter and no resume. */
export const isBefore31 = ({ major, minor }: Gns3Version): boolean => major === 3 && minor === 0;

async function ask(address: Gns3Address): Promise<Gns3Version> {
  const answer = await exchange(address, { ...V3, silenceMs: VERSION_MS });
  if (answer.status >= 500) throw faultOf(V3, answer);
  const text = versionIn(answer);
  if (text === undefined) throw await notVersion3(address);
  const [major = 0, minor = 0] = text.split('.').map((part) => Number.parseInt(part, 10));
  return { text, major, minor };
}

function versionIn({ status, text }: HttpAnswer): string | undefined {
  if (status !== 200) return undefined;
  try {
    return versionSchema.parse(JSON.parse(text)).version;
  } catch {
    // Some other server answers every address with a page.
    return undefined;
  }
}

async function notVersion3(address: Gns3Address): Promise<Error> {
  const old = versionIn(await exchange(address, { ...V2, silenceMs: VERSION_MS }));
  if (old === undefined) {
    const message = `What answers at ${address.base} is no GNS3 server`;
    return appError('GNS3_UNAVAILABLE', { message, retry: 'after-change', details: { reason: 'not-gns3' } });
  }
  return appError('GNS3_UNAVAILABLE', {
    message: `The GNS3 server at ${address.base} has version ${old}; Patchbay speaks with version 3`,
    hint: 'Ask the person to update the GNS3 server to version 3.',
    retry: 'after-change',
    details: { reason: 'version', version: old },
  });
}
