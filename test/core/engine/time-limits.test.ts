// Time-outs mean what they say: each one is its own, begins when it should, and is told apart from the others.
import { expect, it } from 'vitest';
import { startSilentServer } from '../../support/net.ts';
import { useAssistant } from '../../support/assistant.ts';

const here = useAssistant({ SSH_TIMEOUT: '3' });

it('FC16 a time limit ends the command within a second of it, and one that is longer than the command does nothing', async () => {
  await here.ask('ssh_connect', here.target('limit'));
  const at = Date.now();
  const limited = await here.ask('ssh_exec', { sessionName: 'limit', command: 'sleep 10', timeoutSeconds: 2 });
  expect(limited).toMatchObject({ status: 'timed_out' });
  expect(Date.now() - at).toBeGreaterThan(1900);
  expect(Number(limited['durationMs'])).toBeLessThan(4000);
  const short = await here.ask('ssh_exec', {
    sessionName: 'limit',
    command: 'sleep 1; echo ok',
    timeoutSeconds: 120,
  });
  expect(short).toMatchObject({ status: 'exited', exitCode: 0, stdout: 'ok\n' });
});

it('FC16 a connect to a port that says nothing ends after SSH_TIMEOUT, as a time-out of the connect', async () => {
  const silent = await startSilentServer();
  const at = Date.now();
  const failure = await here.fail('ssh_connect', { ...here.target('silent'), port: silent.port });
  expect(Date.now() - at).toBeGreaterThan(2900);
  expect(Date.now() - at).toBeLessThan(6000);
  expect(failure).toMatchObject({
    code: 'NETWORK_ERROR',
    details: { reason: expect.stringMatching(/time/) as unknown },
  });
  await silent.close();
});
