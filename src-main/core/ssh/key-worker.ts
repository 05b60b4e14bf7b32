// The worker thread that unlocks one private key and ends; a slow passphrase check blocks nobody here.
import { parentPort, workerData } from 'node:worker_threads';
import * as z from 'zod';
import { unlockKey } from './key-unlock.ts';

const requestSchema = z.object({ text: z.string(), passphrase: z.string().optional() });

const request = requestSchema.parse(workerData);
parentPort?.postMessage(unlockKey(request.text, request.passphrase));
