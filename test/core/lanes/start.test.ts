// The moment before a command is sent: it waits until its start is on record, and can still be called off.
import { afterEach, expect, it } from 'vitest';
import { CLIENT, finished, runIn, startLane } from '../../support/lane.ts';
import { createLocalAccount } from '../../support/local-shell.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

it('sends nothing until the start is stored, and never sends what was cancelled meanwhile', async () => {
  let store = (): void => undefined;
  const onStart = (): Promise<void> => new Promise((resolve) => (store = resolve));
  const account = createLocalAccount({ shell: '/bin/bash' });
  closers.push(account.end);
  const test = await startLane(account.open, { onStart });
  closers.push(test.close);
  const first = test.lane.run({ command: 'x=sent', timeoutMs: 60_000 }, CLIENT);
  expect(first.view().status).toBe('running');
  const cancelled = first.cancel('cancelled');
  store();
  await cancelled;
  expect(await finished(first)).toMatchObject({ status: 'cancelled', exitCode: null, shellRestarted: false });
  const second = runIn(test.lane, 'echo "x is ${x-unset}"');
  store();
  expect((await second).stdout).toBe('x is unset\n');
});
