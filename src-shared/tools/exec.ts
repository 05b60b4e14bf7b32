// The tools that run commands and read their output.
import * as z from 'zod';
import { commandStatusSchema, streamNameSchema } from '../model/command.ts';
import { defineTool } from './define-tool.ts';
import { commandId, isoTime, notices, sessionName, waitSeconds } from './parts.ts';

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
  status: commandStatusSchema.describe('queued, running, exited, cancelled, timed_out or lost'),
  exitCode: z.number().int().nullable().describe('128+n after a signal; null while unknown'),
  signal: z.string().nullable(),
  stdout: z.string(),
  stderr: z.string(),
  stdoutBytes: z.number().int().describe('Exact size of the whole stream'),
  stderrBytes: z.number().int().describe('Exact size of the whole stream'),
  truncated: z.boolean().describe('stdout or stderr here is a part; ssh_command_output reads the rest'),
  lossy: z.boolean().describe('Bytes that are not UTF-8, or control sequences, were replaced here'),
  workingDir: z.string().nullable().describe('Directory after the command'),
  startedAt: isoTime.nullable(),
  durationMs: z.number().nullable(),
  shellRestarted: z
    .boolean()
    .describe('The shell ended; directory and exported variables were restored, the rest is gone'),
  queuePosition: z.number().int().nullable(),
  blockedBy: z.string().nullable().describe('Command that runs now'),
  notices,
};

export const sshExec = defineTool({
  name: 'ssh_exec',
  title: 'Run a command',
  description:
    'Runs a command in the persistent shell of a session (bash, else sh). Use it for all that needs no TTY, else ssh_terminal. Directory, variables, functions and jobs persist. Returns stdout, stderr and exit code; a non-zero code is no error. What is not done after waitSeconds comes back as "running" or "queued": go on with ssh_command_output. Long output is cut to head and tail. Example: {"sessionName":"web-1","command":"git status","workingDir":"/srv/app"}.',
  group: 'ssh',
  effect: 'destroys',
  types: true,
  idempotent: false,
  input: z.strictObject({
    sessionName,
    command: z.string().min(1).describe('Shell text, sent unchanged'),
    workingDir: z.string().min(1).optional().describe('Change to it and stay there'),
    waitSeconds: waitSeconds(EXEC_WAIT_SECONDS, EXEC_TIMEOUT_MAX_SECONDS),
    timeoutSeconds: z
      .number()
      .positive()
      .max(EXEC_TIMEOUT_MAX_SECONDS)
      .optional()
      .describe(`Stops the command (default ${EXEC_TIMEOUT_SECONDS})`),
    stdin: z.string().optional().describe('Its standard input, at most 8 MiB'),
    maxOutputChars: z
      .number()
      .int()
      .min(200)
      .max(EXEC_OUTPUT_MAX_CHARS)
      .optional()
      .describe(`Default ${EXEC_OUTPUT_CHARS}`),
    durable: z.boolean().optional().describe('Outlives connection and app'),
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
    'Tells whether a command is done and reads its output from a byte offset. Use it after "running", "queued" or truncated output. waitSeconds waits for the end or, with nothing past offset, for new output. At most 200,000 bytes a call. Example: {"sessionName":"web-1","commandId":"c-abc","offset":30000}.',
  group: 'ssh',
  effect: 'reads',
  types: false,
  idempotent: true,
  input: z.strictObject({
    sessionName,
    commandId,
    stream: streamNameSchema.optional().describe('Default stdout'),
    offset: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional().describe('First byte (default 0)'),
    limit: z.number().int().min(1).max(200_000).optional().describe('Bytes (default 30000)'),
    waitSeconds: waitSeconds(0, 3600),
    encoding: z.enum(['text', 'base64']).optional().describe('base64: the exact bytes'),
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
    nextOffset: z.number().int(),
    stdoutBytes: z.number().int(),
    stderrBytes: z.number().int(),
    complete: z.boolean().describe('Ended, and nothing is past nextOffset'),
    lossy: z.boolean(),
    durationMs: z.number().nullable(),
    notices,
  }),
  errors: ['INVALID_PARAMS', 'SESSION_NOT_FOUND', 'COMMAND_NOT_FOUND', 'STORAGE_ERROR', 'INTERNAL_ERROR'],
  maxResultChars: EXEC_OUTPUT_MAX_CHARS,
});

export const sshCommandCancel = defineTool({
  name: 'ssh_command_cancel',
  title: 'Stop a command',
  description:
    'Stops a running command with all it started, or unqueues a queued one; the shell keeps its state. Use it when a command is no longer wanted. Returns how it ended, after at most 10 s. Example: {"sessionName":"web-1","commandId":"c-abc"}.',
  group: 'ssh',
  effect: 'changes',
  types: true,
  idempotent: true,
  input: z.strictObject({
    sessionName,
    commandId,
    signal: z.enum(['INT', 'TERM', 'KILL']).optional().describe('The first one sent (default INT)'),
  }),
  output: z.object({
    commandId: z.string(),
    status: commandStatusSchema,
    exitCode: z.number().int().nullable(),
    signal: z.string().nullable(),
    shellRestarted: z.boolean(),
    notices,
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
