// Runs the key worker for one key, and ends it when nobody waits for the key any more.
import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import { appError } from '../../../src-shared/errors.ts';
import type { Attempt } from './attempt.ts';
import type { Unlocked } from './key-unlock.ts';

const answerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('key'), text: z.string() }),
  z.object({ kind: z.literal('wrong_passphrase') }),
  z.object({ kind: z.literal('unreadable'), fault: z.string() }),
]);

/** The worker's bundle: beside a bundled program, in out/ when this file runs from its source. */
function workerFile(): URL {
  const here = import.meta.url;
  return new URL(here.endsWith('.ts') ? '../../../out/key-worker.js' : './key-worker.js', here);
}

/** Resolves with the worker's answer; rejects when the attempt fails (the worker is ended) or no worker can run. */
export function unlockInWorker(text: string, passphrase: string, attempt: Attempt): Promise<Unlocked> {
  const worker = new Worker(workerFile(), { workerData: { text, passphrase }, execArgv: [] });
  const answer = new Promise<Unlocked>((resolve, reject) => {
    const broken = (error: unknown): void =>
      reject(
        appError('INTERNAL_ERROR', {
          message: 'The key could not be unlocked',
          details: { reason: 'key_worker' },
          cause: error,
        }),
      );
    worker.once('message', (message: unknown) => {
      const parsed = answerSchema.safeParse(message);
      if (parsed.success) resolve(parsed.data);
      else broken(parsed.error);
    });
    worker.once('error', broken);
    worker.once('exit', () => broken(new Error('the key worker ended without an answer')));
  });
  return attempt.race(answer).finally(() => void worker.terminate());
}
