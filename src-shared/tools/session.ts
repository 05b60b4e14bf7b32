// The tools that open, list, show and close sessions, and list known hosts.
import * as z from 'zod';
import { leaseWordSchema, sessionKindSchema, sessionStatusSchema } from '../model/session.ts';
import { commandStatusSchema } from '../model/command.ts';
import { defineTool } from './define-tool.ts';
import { isoTime, notices, sessionName } from './parts.ts';

/** Ways to log in; each secret is marked so that it never reaches a log or the journal. */
export const credentialsSchema = z.strictObject({
  username: z.string().min(1).optional().describe('Default: from ssh_config, else the local user').meta({ trim: true }),
  keyFile: z.string().min(1).optional().describe('Private key file on the computer of Patchbay'),
  passphrase: z.string().optional().describe('Passphrase of keyFile').meta({ secret: true }),
  password: z.string().min(1).optional().describe('Also for keyboard-interactive').meta({ secret: true }),
  agent: z.boolean().optional().describe('true: use the SSH agent'),
});

export const sshConnect = defineTool({
  name: 'ssh_connect',
  title: 'Open an SSH session',
  description:
    'Opens a named SSH session that stays open over many calls. Call it once, then use ssh_exec with that name. credentials needs keyFile, password or agent, except for an alias that names its key. Returns details and monitor URL. At most MAX_SESSIONS are open. Example: {"name":"web-1","host":"192.0.2.10","credentials":{"username":"deploy","keyFile":"~/.ssh/id_ed25519"}}.',
  group: 'ssh',
  effect: 'changes',
  types: true,
  idempotent: false,
  input: z.strictObject({
    name: sessionName.describe('Name of the new session'),
    host: z.string().min(1).max(255).describe('Name, IPv4, IPv6, or an alias from ssh_hosts').meta({ trim: true }),
    port: z.number().int().min(1).max(65_535).optional().describe("Default 22 or the alias's"),
    credentials: credentialsSchema.optional().describe('How to log in'),
  }),
  output: z.object({
    name: z.string(),
    host: z.string(),
    username: z.string(),
    port: z.number().int(),
    serverVersion: z.string(),
    fingerprint: z.string().describe('SHA256 of the host key'),
    banner: z.string().describe('What the server said at login'),
    kind: sessionKindSchema,
    shell: z.string().nullable(),
    status: sessionStatusSchema,
    connectionTime: isoTime,
    workingDir: z.string().nullable(),
    monitorUrl: z.string().describe('Page where a person can watch this session'),
    notices,
  }),
  errors: [
    'INVALID_PARAMS',
    'SESSION_EXISTS',
    'SESSION_LIMIT',
    'NETWORK_ERROR',
    'CONNECTION_ERROR',
    'AUTHENTICATION_FAILED',
    'HOST_KEY_UNKNOWN',
    'HOST_KEY_CHANGED',
    'PAUSED',
    'DENIED',
    'STORAGE_ERROR',
    'INTERNAL_ERROR',
  ],
  alwaysLoad: true,
});

export const sshListSessions = defineTool({
  name: 'ssh_list_sessions',
  title: 'List sessions',
  description:
    'Lists the sessions: host, status, times, who drives, whether busy. Use it to find a name. Never waits. Example: {}.',
  group: 'ssh',
  effect: 'reads',
  types: false,
  idempotent: true,
  input: z.strictObject({}),
  output: z.object({
    sessions: z.array(
      z.object({
        name: z.string(),
        host: z.string(),
        status: sessionStatusSchema,
        lastActivity: isoTime,
        connectionTime: isoTime,
        kind: sessionKindSchema,
        busy: z.boolean(),
        lease: leaseWordSchema,
      }),
    ),
    notices,
  }),
  errors: ['INVALID_PARAMS', 'INTERNAL_ERROR'],
});

export const sshGetSessionUrl = defineTool({
  name: 'ssh_get_session_url',
  title: 'Get a monitor URL',
  description:
    'Returns a URL where a person can watch this session live in a browser. Use it when the person asks to see it. Good until the session closes. Example: {"sessionName":"web-1"}.',
  group: 'ssh',
  effect: 'reads',
  types: false,
  idempotent: true,
  input: z.strictObject({ sessionName }),
  output: z.object({ sessionName: z.string(), url: z.string(), notices }),
  errors: ['INVALID_PARAMS', 'SESSION_NOT_FOUND', 'INTERNAL_ERROR'],
});

export const sshDisconnect = defineTool({
  name: 'ssh_disconnect',
  title: 'Close a session',
  description:
    'Closes a session. Use it when the work on a host is done. Returns what still ran and was ended; its output is deleted. Example: {"sessionName":"web-1"}.',
  group: 'ssh',
  effect: 'destroys',
  types: true,
  idempotent: false,
  input: z.strictObject({ sessionName }),
  output: z.object({
    sessionName: z.string(),
    closed: z.boolean(),
    stillRunning: z.array(z.object({ commandId: z.string(), command: z.string() })),
    notices,
  }),
  errors: ['INVALID_PARAMS', 'SESSION_NOT_FOUND', 'HUMAN_IN_CONTROL', 'PAUSED', 'DENIED', 'INTERNAL_ERROR'],
});

const commandRow = z.object({
  commandId: z.string(),
  command: z.string(),
  status: commandStatusSchema,
  exitCode: z.number().int().nullable(),
  client: z.string(),
  startedAt: isoTime.nullable(),
  durationMs: z.number().nullable(),
  stdoutBytes: z.number().int(),
  stderrBytes: z.number().int(),
});

export const sshSessionStatus = defineTool({
  name: 'ssh_session_status',
  title: 'Show one session',
  description:
    'Shows one session in detail, with running, queued and the last 20 commands. Use it when a session is busy or lost. Never waits. Example: {"sessionName":"web-1"}.',
  group: 'ssh',
  effect: 'reads',
  types: false,
  idempotent: true,
  input: z.strictObject({ sessionName }),
  output: z.object({
    name: z.string(),
    host: z.string(),
    port: z.number().int(),
    username: z.string(),
    kind: sessionKindSchema,
    status: sessionStatusSchema,
    statusReason: z.string().nullable(),
    serverVersion: z.string(),
    fingerprint: z.string(),
    shell: z.string().nullable(),
    workingDir: z.string().nullable(),
    connectionTime: isoTime,
    lastActivity: isoTime,
    lease: leaseWordSchema,
    lanes: z.array(z.object({ lane: z.enum(['agent', 'terminal', 'console']), state: z.string() })),
    commands: z.array(commandRow).describe('Oldest first'),
    bytesIn: z.number().int(),
    bytesOut: z.number().int(),
    roundTripMs: z.number().nullable(),
    reconnects: z.number().int(),
    notices,
  }),
  errors: ['INVALID_PARAMS', 'SESSION_NOT_FOUND', 'INTERNAL_ERROR'],
});

export const sshHosts = defineTool({
  name: 'ssh_hosts',
  title: 'List known hosts',
  description:
    'Lists the aliases that ssh_connect takes as host, never a secret. Use it when the person names a host by a short name. Pattern blocks of ssh_config are left out. Example: {}.',
  group: 'ssh',
  effect: 'reads',
  types: false,
  idempotent: true,
  input: z.strictObject({}),
  output: z.object({
    hosts: z.array(
      z.object({
        alias: z.string(),
        host: z.string(),
        port: z.number().int(),
        username: z.string().nullable(),
        keyFiles: z.array(z.string()),
        source: z.enum(['ssh_config', 'saved']),
      }),
    ),
    notices,
  }),
  errors: ['INVALID_PARAMS', 'INTERNAL_ERROR'],
});
