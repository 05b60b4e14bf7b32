// Commands longer than a client's patience: nothing is lost, and who merely times out stops nothing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectPatient, countFor, countedTo } from '../../support/patient-client.ts';
import type { PatientClient } from '../../support/patient-client.ts';
import { useAssistant } from '../../support/assistant.ts';

const here = useAssistant();
let client: PatientClient;
beforeAll(async () => {
  client = await connectPatient(here.desk.environment);
  for (const name of ['minutes', 'wait', 'limit']) await here.ask('ssh_connect', here.target(name));
});
afterAll(() => client.close());

describe.concurrent('through a client with a limit of 60 s', () => {
  it('FC17 a command of three minutes brings every line and its code', { timeout: 300_000 }, async () => {
    expect(await countFor(client, 'minutes', 180)).toMatchObject(countedTo(180));
  });

  it(
    'FC17 a wait of 120 s ends with the time-out of the client, which does not stop the command',
    { timeout: 200_000 },
    async () => {
      const command = 'sleep 75; echo end';
      const asked = client.ask('ssh_exec', { sessionName: 'wait', command, waitSeconds: 120 });
      await expect(asked).rejects.toThrow(/timed out/i);
      const status = await client.ask('ssh_session_status', { sessionName: 'wait' });
      const [row] = status['commands'] as readonly { readonly commandId: string; readonly status: string }[];
      expect(row).toMatchObject({ status: 'running' });
      const output = (offset: number) =>
        client.ask('ssh_command_output', { sessionName: 'wait', commandId: row?.commandId, offset, waitSeconds: 50 });
      // The first call returns with the output, the second with the end.
      expect(await output(0)).toMatchObject({ output: 'end\n' });
      const ended = await output(4);
      expect(ended).toMatchObject({ status: 'exited', exitCode: 0, complete: true });
    },
  );
});
