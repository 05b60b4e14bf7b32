// Opens a shell on a connection and brings it to where another one was.
import { appError } from '../../../src-shared/errors.ts';
import type { StreamName } from '../../../src-shared/model/index.ts';
import { START_LINE } from '../shells/boot.ts';
import type { Environment } from '../shells/environment.ts';
import { parseEnvironment, restoreText } from '../shells/environment.ts';
import { greet } from '../shells/live-shell.ts';
import type { LiveShell } from '../shells/live-shell.ts';
import { toPlainText } from './plain-text.ts';
import type { OpenExec, ShellFacts } from './port.ts';

/** Where a shell was: what a new one is brought to. */
export interface Place {
  readonly directory: string;
  /** As the shell printed its exported variables. */
  readonly environment: string;
}

/** What opening needs. */
export interface OpenShellParts {
  readonly open: OpenExec;
  readonly timeoutMs: number;
  readonly onNoise: (bytes: Buffer) => void;
  readonly onLate: (stream: StreamName, bytes: Buffer) => void;
  readonly onClosed: () => void;
}

const NOISE_SHOWN = 300;

/** Opens a shell; rejects with UNSUPPORTED when what answers is no POSIX shell, and as {@link OpenExec} does. */
export async function openShell(parts: OpenShellParts): Promise<LiveShell> {
  const noise: Buffer[] = [];
  const channel = await parts.open(START_LINE);
  const sinks = { onNoise: (bytes: Buffer) => noise.push(bytes), onLate: parts.onLate, onClosed: parts.onClosed };
  const shell = await greet(channel, sinks, parts.timeoutMs);
  const said = Buffer.concat(noise);
  if (shell === null) {
    throw appError('UNSUPPORTED', {
      message: 'This host did not start a POSIX shell for commands',
      details: { reason: 'no-posix-shell', said: toPlainText(said.toString('utf8')).text.slice(0, NOISE_SHOWN) },
    });
  }
  if (said.length > 0) parts.onNoise(said);
  return shell;
}

/** What came of a restore. */
export interface Restored {
  readonly place: Place;
  /** A sentence about what could not be restored, or null. */
  readonly problem: string | null;
}

/** Brings a new shell to the directory and the exported variables of another. */
export async function restorePlace(shell: LiveShell, place: Place): Promise<Restored> {
  const problems: string[] = [];
  let directory = shell.greeting.directory;
  const text = restoreText(environmentOf(shell.environment), environmentOf(place.environment));
  if (text !== '') {
    const end = await shell.run({ command: text, directory: '', stdin: null }, ignoreOutput);
    if (end.kind !== 'ended' || end.status !== 0) problems.push('Some exported variables could not be restored.');
  }
  if (place.directory !== directory) {
    const end = await shell.run({ command: ':', directory: place.directory, stdin: null }, ignoreOutput);
    if (end.kind === 'ended' && end.fault === 'none') directory = end.directory;
    else problems.push(`The directory ${place.directory} could not be entered again; it is ${directory} now.`);
  }
  const problem = problems.length === 0 ? null : problems.join(' ');
  return { place: { directory, environment: shell.environment }, problem };
}

/** What a session shows of its shell. */
export function factsOf(shell: LiveShell): ShellFacts {
  const { name, kind, pid, umask } = shell.greeting;
  return { name, kind, pid, umask };
}

function environmentOf(dump: string): Environment {
  return parseEnvironment(dump) ?? new Map<string, string | null>();
}

function ignoreOutput(): void {}
