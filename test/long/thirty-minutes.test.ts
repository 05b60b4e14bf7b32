// Half an hour through a client with a limit of 60 s a call: nothing is lost.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useAssistant } from '../support/assistant.ts';
import { connectPatient, countFor, countedTo } from '../support/patient-client.ts';
import type { PatientClient } from '../support/patient-client.ts';

const here = useAssistant();
let client: PatientClient;
beforeAll(async () => {
  client = await connectPatient(here.desk.environment);
  await here.ask('ssh_connect', here.target('half-an-hour'));
});
afterAll(() => client.close());

it('FC17 a command of thirty minutes brings every line and its code', { timeout: 2_100_000 }, async () => {
  expect(await countFor(client, 'half-an-hour', 1800)).toMatchObject(countedTo(1800));
});
