// A program that runs a command over a network that loses every packet for a while; started in a namespace of its own.
import { execFileSync } from 'node:child_process';
import { assistant, outputOf, startCore } from './core.ts';
import { waitFor } from './processes.ts';
import { startSshd } from './sshd.ts';

/** What it is told, as JSON. */
export interface DropOrder {
  readonly command: string;
  readonly dropMs: number;
}

/** What it prints, as JSON. */
export interface DropOutcome {
  readonly status: string;
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly reconnects: number;
  readonly notices: readonly string[];
}

async function run({ command: text, dropMs }: DropOrder): Promise<DropOutcome> {
  const server = await startSshd({ listen: ['127.0.0.1'] });
  const home = await startCore();
  const session = await home.connect('web-1', server);
  const command = session.run({ command: text, timeoutMs: 120_000 }, assistant);
  await waitFor('some output', () => command.stream('stdout').length > 100);
  // Everything is dropped on its way in, without a word to the sender.
  iptables('-A');
  const before = command.stream('stdout').length;
  const at = Date.now();
  await waitFor('the time to pass', () => Date.now() - at > dropMs, dropMs + 20_000);
  if (command.stream('stdout').length > before + 2000) throw new Error('packets came through');
  iptables('-D');
  await command.ended;
  const { status, exitCode } = command.view();
  const { stdout } = await outputOf(command);
  const { reconnects } = session.view();
  await home.close();
  await server.stop();
  return { status, exitCode, stdout, reconnects, notices: command.notices };
}

function iptables(what: '-A' | '-D'): void {
  execFileSync('iptables', [what, 'INPUT', '-j', 'DROP']);
}

// The test wrote it in the line before.
process.stdout.write(`${JSON.stringify(await run(JSON.parse(process.argv[2] ?? '{}') as DropOrder))}\n`);
