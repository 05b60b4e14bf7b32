// Makes the result of ssh_exec: how the command stands, and its output so far within the limit.
import type { CommandView } from '../../src-shared/model/index.ts';
import type { Command } from '../core/sessions/port.ts';
import type { Answer } from './tool-result.ts';
import type { ToolOutput } from './tool-types.ts';
import { commandState, durationOf, isoOrNull } from './words.ts';
import { inlineOutput } from '../core/lanes/inline.ts';

/** What a result depends on beside the command. */
export interface ExecAnswerOptions {
  /** Characters of both streams together. */
  readonly maxChars: number;
  /** The command that runs now, for one that waits. */
  readonly blockedBy: string | null;
  readonly notices: readonly string[];
}

type ExecResult = ToolOutput<'ssh_exec'>;

/** Rejects with STORAGE_ERROR when stored output cannot be read. */
export async function execAnswer(command: Command, options: ExecAnswerOptions): Promise<Answer<ExecResult>> {
  const view = command.view();
  const inline = await inlineOutput({
    stdout: command.stream('stdout'),
    stderr: command.stream('stderr'),
    maxChars: options.maxChars,
  });
  const structure: ExecResult = {
    commandId: view.commandId,
    status: view.status,
    exitCode: view.exitCode,
    signal: view.signal,
    stdout: inline.stdout,
    stderr: inline.stderr,
    stdoutBytes: inline.stdoutBytes,
    stderrBytes: inline.stderrBytes,
    truncated: inline.truncated,
    lossy: inline.lossy,
    workingDir: command.workingDirAfter,
    startedAt: isoOrNull(view.startedAt),
    durationMs: durationOf(view),
    shellRestarted: view.shellRestarted,
    queuePosition: view.queuePosition,
    blockedBy: view.status === 'queued' ? options.blockedBy : null,
    notices: [...options.notices],
  };
  return { structure, text: execText(structure, view) };
}

function execText(result: ExecResult, view: CommandView): string {
  return [
    `Command ${result.commandId} ${commandState(view)}${place(result)}.`,
    ...advice(result),
    ...streams(result),
  ].join('\n');
}

const place = ({ workingDir }: ExecResult): string => (workingDir === null ? '' : `, directory now ${workingDir}`);

function advice(result: ExecResult): readonly string[] {
  const next = {
    queued: queuedAdvice(result),
    running: 'Go on with ssh_command_output and this commandId, or stop it with ssh_command_cancel.',
  };
  return [
    ...(result.status === 'queued' || result.status === 'running' ? [next[result.status]] : []),
    ...(result.status === 'lost'
      ? ['The connection was lost; what it did is not known, and it is not run again.']
      : []),
    ...(result.shellRestarted
      ? ['The shell ended and was started anew: only directory and exported variables were kept.']
      : []),
    ...(result.truncated ? ['The output below is a part: ssh_command_output reads the rest.'] : []),
    ...(result.lossy ? ['Some bytes below are not shown as they are; base64 of ssh_command_output is exact.'] : []),
  ];
}

const queuedAdvice = ({ blockedBy }: ExecResult): string =>
  `${blockedBy === null ? 'It waits' : `It waits for ${blockedBy}`}; go on with ssh_command_output and this commandId.`;

function streams({ stdout, stderr, stdoutBytes, stderrBytes }: ExecResult): readonly string[] {
  if (stdoutBytes === 0 && stderrBytes === 0) return ['No output.'];
  return [...stream('stdout', stdout, stdoutBytes), ...stream('stderr', stderr, stderrBytes)];
}

function stream(name: string, text: string, bytes: number): readonly string[] {
  return bytes === 0 ? [] : [`${name} (${bytes} bytes):`, text.endsWith('\n') ? text.slice(0, -1) : text];
}
