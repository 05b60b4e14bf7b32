// The tools that run commands, read their output and stop them.
import {
  EXEC_OUTPUT_CHARS,
  EXEC_STDIN_MAX_BYTES,
  EXEC_TIMEOUT_SECONDS,
  EXEC_WAIT_SECONDS,
} from '../../src-shared/tools/index.ts';
import { isFinal } from '../../src-shared/model/index.ts';
import type { Command, Session } from '../core/sessions/port.ts';
import { execAnswer } from './exec-result.ts';
import { givingUp } from './giving-up.ts';
import { outputAnswer } from './output-result.ts';
import { invalidParams } from './parse-arguments.ts';
import type { Handler, ToolContext, ToolInput } from './tool-types.ts';
import { waitFor } from './waiting.ts';
import { commandState } from './words.ts';

export const sshExec: Handler<'ssh_exec'> = async (args, context) => {
  const session = context.sessions.get(args.sessionName);
  const command = session.run(runRequest(args), context.actor);
  const waitMs = (args.waitSeconds ?? EXEC_WAIT_SECONDS) * 1000;
  await waitForCommand(command, command.ended, { waitMs, context });
  if (command.fault !== null) throw command.fault;
  return execAnswer(command, {
    maxChars: args.maxOutputChars ?? EXEC_OUTPUT_CHARS,
    blockedBy: command.view().status === 'queued' ? runningId(session) : null,
    notices: noticesOf(session, command, context.signal),
  });
};

function runRequest({
  command,
  workingDir,
  stdin,
  timeoutSeconds,
  durable,
}: ToolInput<'ssh_exec'>): Parameters<Session['run']>[0] {
  const bytes = stdin === undefined ? undefined : Buffer.from(stdin);
  if (bytes !== undefined && bytes.length > EXEC_STDIN_MAX_BYTES) {
    throw invalidParams([
      { field: 'stdin', problem: `must be at most ${EXEC_STDIN_MAX_BYTES} bytes, not ${bytes.length}` },
    ]);
  }
  return {
    command,
    timeoutMs: (timeoutSeconds ?? EXEC_TIMEOUT_SECONDS) * 1000,
    ...(workingDir === undefined ? {} : { workingDir }),
    ...(bytes === undefined ? {} : { stdin: bytes }),
    ...(durable === true ? { durable } : {}),
  };
}

/** Waits with progress; a client that wants the work stopped has the command stopped, one that is only gone does not. */
async function waitForCommand(
  command: Command,
  done: Promise<unknown>,
  { waitMs, context }: { readonly waitMs: number; readonly context: ToolContext },
): Promise<void> {
  const stop = context.progress.report(() => command.lastLine() || commandState(command.view()));
  try {
    const end = await waitFor(done, { waitMs, signal: context.signal });
    if (end === 'aborted' && givingUp(context.signal.reason) === 'stop') await command.cancel('cancelled');
  } finally {
    stop();
  }
}

/** The command that holds up the queue. */
const runningId = (session: Session): string | null => session.view().running?.commandId ?? null;

/** Notices for a result that a client will see: one that has given up leaves the person's note for the next. */
function noticesOf(session: Session, command: Command, signal: AbortSignal): readonly string[] {
  return signal.aborted ? [] : [...new Set([...command.notices, ...session.takeNotices()])];
}

export const sshCommandOutput: Handler<'ssh_command_output'> = async (args, context) => {
  const session = context.sessions.get(args.sessionName);
  const command = session.command(args.commandId);
  const stream = command.stream(args.stream ?? 'stdout');
  const offset = args.offset ?? 0;
  if (offset > stream.length) {
    throw invalidParams([
      { field: 'offset', problem: `must be at most ${stream.length}, the length of the stream now, not ${offset}` },
    ]);
  }
  if (args.waitSeconds !== undefined && args.waitSeconds > 0) {
    const limits = { waitMs: args.waitSeconds * 1000, signal: context.signal };
    const more = offset < stream.length ? undefined : grown(stream, offset);
    const stop = context.progress.report(() => command.lastLine() || commandState(command.view()));
    await waitFor(more === undefined ? command.ended : Promise.race([command.ended, more.promise]), limits).finally(
      stop,
    );
    more?.stop();
  }
  return outputAnswer(command, {
    stream: args.stream ?? 'stdout',
    offset,
    encoding: args.encoding ?? 'text',
    limit: args.limit ?? null,
    notices: noticesOf(session, command, context.signal),
  });
};

/** Resolves when something stands past the offset. */
function grown(stream: ReturnType<Command['stream']>, offset: number): { promise: Promise<void>; stop: () => void } {
  let unsubscribe = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    unsubscribe = stream.onChange(() => {
      if (stream.length > offset || stream.ended) resolve();
    });
  });
  return { promise, stop: () => unsubscribe() };
}

export const sshCommandCancel: Handler<'ssh_command_cancel'> = async (args, { sessions, signal }) => {
  const session = sessions.get(args.sessionName);
  const command = session.command(args.commandId);
  const was = command.view().status;
  if (!isFinal(was))
    await (args.signal === undefined ? command.cancel('cancelled') : command.cancel('cancelled', args.signal));
  const { commandId, status, exitCode, signal: endSignal, shellRestarted } = command.view();
  const already = isFinal(was) ? [`The command had ended before: ${was}.`] : [];
  const notices = [...already, ...noticesOf(session, command, signal)];
  const structure = { commandId, status, exitCode, signal: endSignal, shellRestarted, notices };
  const shell = shellRestarted ? ' The shell was started anew.' : '';
  return { structure, text: `Command ${commandId} ${commandState(command.view())}.${shell}` };
};
