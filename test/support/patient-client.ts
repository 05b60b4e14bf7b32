// A client with the SDK's own limit of 60 s a call, and a long command asked for through it.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { structureOf } from './assistant.ts';
import type { Values } from './assistant.ts';
import { bridgeCommand } from './app.ts';
import type { ToolAnswer } from './app.ts';
import type { Variables } from './programs.ts';

/** Connected through the bridge; its calls end after 60 s, whatever progress says. */
export interface PatientClient {
  ask(tool: string, args: Values): Promise<Values>;
  close(): Promise<void>;
}

/** Connects. */
export async function connectPatient(environment: Variables): Promise<PatientClient> {
  const client = new Client({ name: 'patient', version: '1' });
  await client.connect(new StdioClientTransport({ ...bridgeCommand(environment), stderr: 'ignore' }));
  await client.listTools();
  return {
    ask: async (tool, args) =>
      structureOf(tool, (await client.callTool({ name: tool, arguments: { ...args } })) as ToolAnswer),
    close: () => client.close(),
  };
}

/** Runs a command that counts for so many seconds; asks for its end as a model would; what came of it. */
export async function countFor(client: PatientClient, sessionName: string, seconds: number): Promise<Values> {
  const command = `i=0; while [ $i -lt ${seconds} ]; do i=$((i+1)); echo "second $i"; sleep 1; done; (exit 5)`;
  const begun = await client.ask('ssh_exec', { sessionName, command, timeoutSeconds: seconds + 300 });
  let last: Values = begun;
  while (last['status'] === 'running') {
    last = await client.ask('ssh_command_output', {
      ...{ sessionName, commandId: begun['commandId'], offset: last['stdoutBytes'] ?? 0, waitSeconds: 50 },
    });
  }
  const all = await client.ask('ssh_command_output', { sessionName, commandId: begun['commandId'], limit: 200_000 });
  return { ...all, begun: begun['status'] };
}

/** What {@link countFor} has to bring. */
export function countedTo(seconds: number): Values {
  const output = Array.from({ length: seconds }, (_, index) => `second ${index + 1}\n`).join('');
  return { begun: 'running', status: 'exited', exitCode: 5, output, complete: true };
}
