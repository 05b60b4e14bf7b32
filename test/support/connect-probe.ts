// A program that connects once per line of JSON arguments and prints what came of each: run inside namespaces by tests.
import { connect } from '../../src-main/core/ssh/connect.ts';
import type { ConnectTarget } from '../../src-main/core/ssh/port.ts';
import { appError, toErrorData } from '../../src-shared/errors.ts';

/** What the probe is told, as JSON. */
export interface ProbeOrder {
  readonly target: ConnectTarget;
  readonly timeoutMs: number;
  readonly knownHostsFiles: readonly string[];
}

/** What it prints, one line of JSON per order: `connected` or the error's data. */
async function probe({ target, timeoutMs, knownHostsFiles }: ProbeOrder): Promise<unknown> {
  try {
    const connection = await connect(target, {
      timeoutMs,
      knownHostsFiles,
      keepAliveMs: 15_000,
      askHostKey: () => Promise.reject(appError('HOST_KEY_UNKNOWN')),
      sessionName: 'probe',
      actor: { kind: 'system' },
      signal: new AbortController().signal,
      log: () => undefined,
    });
    connection.close();
    return 'connected';
  } catch (error) {
    return toErrorData(error);
  }
}

for (const argument of process.argv.slice(2)) {
  // The test wrote it in the line before.
  const order = JSON.parse(argument) as ProbeOrder;
  const startedAt = Date.now();
  process.stdout.write(`${JSON.stringify({ result: await probe(order), ms: Date.now() - startedAt })}\n`);
}
