// The tools that run commands and read their output.
import * as z from 'zod';
import { commandStatusSchema, streamNameSchema } from '../model/command.ts';
import { defineTool } from './define-tool.ts';
import { commandId, isoTime, sessionName, waitSeconds } from './parts.ts';

/** Seconds an ssh_exec call waits by default; many clients give up at 60. */
export const EXEC_WAIT_SECONDS = 45;
/** Seconds a command may run by default. */
export const EXEC_TIMEOUT_SECONDS = 1800;
/** Most seconds a command may be given. */
export const EXEC_TIMEOUT_MAX_SECONDS = 86_400;
/** Characters of output that a result holds by default, both streams together. */
export const EXEC_OUTPUT_CHARS = 30_000;
/** Most characters of output that a result may be asked to hold. */
export const EXEC_OUTPUT_MAX_CHARS = 500_000;
/** Most bytes of stdin. */
export const EXEC_STDIN_MAX_BYTES = 8 * 1024 * 1024;

/** What every answer about a run tells. */
const commandOutput = {
  commandId: z.string(),
  status: commandStatusSchema,
  exitCode: z
    .number()
    .int()
    .nullable()
    .describe('The command’s own exit code; 128+n after a signal; null while unknown'),
  signal: z.string().nullable(),
  stdout: z.string(),
  stderr: z.string(),
  stdoutBytes: z.number().int().describe('Exact size of the whole stream'),
  stderrBytes: z.number().int(),
  truncated: z.boolean().describe('stdout or stderr here is a part; read the rest with ssh_command_output'),
  lossy: z.boolean().describe('Bytes that are not UTF-8, or control sequences, were replaced here'),
  workingDir: z.string().nullable().describe('Directory after the command'),
  startedAt: isoTime.nullable(),
  durationMs: z.number().nullable(),
  shellRestarted: z
    .boolean()
    .describe('The shell ended; directory and exported variables were restored, the rest is gone'),
  queuePosition: z.number().int().nullable(),
  blockedBy: z.string().nullable().describe('Command id that runs now'),
  notices: z.array(z.string()).describe('What to know: reconnected, a note of the person, ignored arguments'),
};

export const sshExec = defineTool({
  name: 'ssh_exec',
  title: 'Run a command',
  description:
    'Runs a command in the persistent shell of an SSH session (bash where there is one, else sh; no TTY). Directory, variables, functions and background jobs persist between calls. Returns separate stdout and stderr and the exit code; a non-zero code is not an error. After waitSeconds a command that still runs comes back with status "running": go on with ssh_command_output. Long output is cut to head and tail; nothing is lost. For programs that need a TTY use ssh_terminal. Example: {"sessionName":"web-1","command":"git status --short","workingDir":"/srv/app"}.',
  group: 'ssh',
  effect: 'destroys',
  types: true,
  idempotent: false,
  input: z.strictObject({
    sessionName,
    command: z.string().min(1).describe('Shell text, any number of lines, sent unchanged'),
    workingDir: z.string().min(1).optional().describe('Change to this directory first, and stay there'),
    waitSeconds: waitSeconds(EXEC_WAIT_SECONDS, EXEC_TIMEOUT_MAX_SECONDS),
    timeoutSeconds: z
      .number()
      .positive()
      .max(EXEC_TIMEOUT_MAX_SECONDS)
      .optional()
      .describe(`Stop the command after this many seconds (default ${EXEC_TIMEOUT_SECONDS})`),
    stdin: z.string().optional().describe('Text for its standard input (default: empty)'),
    maxOutputChars: z
      .number()
      .int()
      .min(200)
      .max(EXEC_OUTPUT_MAX_CHARS)
      .optional()
      .describe(`Characters of output to return (default ${EXEC_OUTPUT_CHARS})`),
    durable: z.boolean().optional().describe('Survive loss of the connection (not supported yet: answers UNSUPPORTED)'),
  }),
  output: z.object(commandOutput),
  errors: [
    'INVALID_PARAMS',
    'SESSION_NOT_FOUND',
    'SESSION_LOST',
    'HUMAN_IN_CONTROL',
    'PAUSED',
    'DENIED',
    'UNSUPPORTED',
    'STORAGE_ERROR',
    'INTERNAL_ERROR',
  ],
  maxResultChars: EXEC_OUTPUT_MAX_CHARS,
  alwaysLoad: true,
});

export const sshCommandOutput = defineTool({
  name: 'ssh_command_output',
  title: 'Read output of a command',
  description:
    'Tells whether a command is done and reads its output from a byte offset, while it runs or after. Use it after ssh_exec returned "running", "queued" or truncated output. Returns the bytes from offset, nextOffset, exact totals, status and exit code. With waitSeconds it waits for the end of the command or, when there is nothing past offset, for new output. At most 200,000 bytes a call. Example: {"sessionName":"web-1","commandId":"c-…","offset":30000}.',
  group: 'ssh',
  effect: 'reads',
  types: false,
  idempotent: true,
  input: z.strictObject({
    sessionName,
    commandId,
    stream: streamNameSchema.optional().describe('Which stream (default stdout)'),
    offset: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional().describe('First byte wanted (default 0)'),
    limit: z.number().int().min(1).max(200_000).optional().describe('Bytes wanted (default 30000)'),
    waitSeconds: waitSeconds(0, 3600),
    encoding: z.enum(['text', 'base64']).optional().describe('base64 gives the exact bytes (default text)'),
  }),
  output: z.object({
    commandId: z.string(),
    status: commandStatusSchema,
    exitCode: z.number().int().nullable(),
    signal: z.string().nullable(),
    stream: streamNameSchema,
    encoding: z.enum(['text', 'base64']),
    output: z.string(),
    offset: z.number().int(),
    nextOffset: z.number().int().describe('Pass as offset to go on'),
    stdoutBytes: z.number().int(),
    stderrBytes: z.number().int(),
    complete: z.boolean().describe('The command has ended and nextOffset is the end of this stream'),
    lossy: z.boolean(),
    durationMs: z.number().nullable(),
    notices: z.array(z.string()),
  }),
  errors: ['INVALID_PARAMS', 'SESSION_NOT_FOUND', 'COMMAND_NOT_FOUND', 'STORAGE_ERROR', 'INTERNAL_ERROR'],
  maxResultChars: EXEC_OUTPUT_MAX_CHARS,
});

export const sshCommandCancel = defineTool({
  name: 'ssh_command_cancel',
  title: 'Stop a command',
  description:
    'Stops a running command with everything it started (INT, then TERM, then KILL), or takes a queued one out of the queue; the shell keeps its state. Use it when a command is no longer wanted; output so far stays readable. Returns how the command ended. Waits at most 10 seconds. Example: {"sessionName":"web-1","commandId":"c-…"}.',
  group: 'ssh',
  effect: 'changes',
  types: true,
  idempotent: true,
  input: z.strictObject({
    sessionName,
    commandId,
    signal: z.enum(['INT', 'TERM', 'KILL']).optional().describe('First signal to send (default INT)'),
  }),
  output: z.object({
    commandId: z.string(),
    status: commandStatusSchema,
    exitCode: z.number().int().nullable(),
    signal: z.string().nullable(),
    shellRestarted: z.boolean(),
    notices: z.array(z.string()),
  }),
  errors: [
    'INVALID_PARAMS',
    'SESSION_NOT_FOUND',
    'COMMAND_NOT_FOUND',
    'SESSION_LOST',
    'HUMAN_IN_CONTROL',
    'PAUSED',
    'DENIED',
    'INTERNAL_ERROR',
  ],
});
