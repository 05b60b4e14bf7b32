// The worker thread that unlocks one private key and ends; a slow passphrase check blocks nobody here.
import { parentPort, workerData } from 'node:worker_threads';
import { unlockKey } from './key-unlock.ts';

const request: unknown = workerData;

// Checked by hand: the worker starts quicker without a schema library in it.
if (isRequest(request)) parentPort?.postMessage(unlockKey(request.text, request.passphrase));

function isRequest(given: unknown): given is { text: string; passphrase: string } {
  if (typeof given !== 'object' || given === null || !('text' in given) || !('passphrase' in given)) return false;
  return typeof given.text === 'string' && typeof given.passphrase === 'string';
}
