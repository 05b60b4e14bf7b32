// The tools that open, list, show and close sessions, and list known hosts.
import * as z from 'zod';
import { leaseWordSchema, sessionKindSchema, sessionStatusSchema } from '../model/session.ts';
import { commandStatusSchema } from '../model/command.ts';
import { defineTool } from './define-tool.ts';
import { isoTime, sessionName } from './parts.ts';

const notices = z.array(z.string());

/** Ways to log in; each secret is marked so that it never reaches a log or the journal. */
export const credentialsSchema = z.strictObject({
  username: z.string().min(1).optional().describe('Login name (default: from ssh_config, else the local user)'),
  keyFile: z
    .string()
    .min(1)
    .optional()
    .describe('Path of a private key file on the computer that runs Patchbay; ~ works'),
  passphrase: z.string().optional().describe('Passphrase of keyFile').meta({ secret: true }),
  password: z
    .string()
    .min(1)
    .optional()
    .describe('Password, also used for keyboard-interactive')
    .meta({ secret: true }),
  agent: z.boolean().optional().describe('true: use the keys of the running SSH agent'),
});

export const sshConnect = defineTool({
  name: 'ssh_connect',
  title: 'Open an SSH session',
  description:
    'Opens a named SSH session to a host; the person sees it live in Patchbay. Call it once, then use ssh_exec with that name: the session stays open over many calls. host is a name, an IPv4 or IPv6 address, or an alias from ssh_hosts. credentials needs keyFile (with passphrase if it has one), password or agent, except for an alias that names its key. Returns the session with its host key fingerprint and monitor URL. At most MAX_SESSIONS sessions. Example: {"name":"web-1","host":"192.0.2.10","credentials":{"username":"deploy","keyFile":"~/.ssh/id_ed25519"}}.',
  group: 'ssh',
  effect: 'changes',
  types: true,
  idempotent: false,
  input: z.strictObject({
    name: sessionName.describe('Name for the session: A-Z a-z 0-9 - _, at most 64'),
    host: z.string().min(1).max(255).describe('Host name, IPv4, IPv6, or an alias from ssh_hosts'),
    port: z.number().int().min(1).max(65_535).optional().describe('Default 22, or what the alias says'),
    credentials: credentialsSchema.optional().describe('How to log in: keyFile, password or agent'),
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
    'Lists every open session with host, status, last activity, connection time, who drives it and whether it is busy. Use it to find a name, or before opening another session. Never waits for a command. Example: {}.',
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
  title: 'Get the monitor URL of a session',
  description:
    'Returns a URL where a person can watch this one session live in a browser on this computer. Give it to the person who asks to see what happens. It is good for watching only, until the session closes. Example: {"sessionName":"web-1"}.',
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
    'Closes a session; what still runs in it is ended and listed. Use it when the work on a host is done. The spooled output of its commands is deleted. Example: {"sessionName":"web-1"}.',
  group: 'ssh',
  effect: 'destroys',
  types: true,
  idempotent: false,
  input: z.strictObject({ sessionName }),
  output: z.object({
    sessionName: z.string(),
    closed: z.boolean(),
    stillRunning: z
      .array(z.object({ commandId: z.string(), command: z.string() }))
      .describe('Commands that were ended by this'),
    notices,
  }),
  errors: ['INVALID_PARAMS', 'SESSION_NOT_FOUND', 'HUMAN_IN_CONTROL', 'PAUSED', 'DENIED', 'INTERNAL_ERROR'],
});

const commandRow = z.object({
  commandId: z.string(),
  command: z.string().describe('First 200 characters'),
  status: commandStatusSchema,
  exitCode: z.number().int().nullable(),
  client: z.string().describe('Who asked for it'),
  startedAt: isoTime.nullable(),
  durationMs: z.number().nullable(),
  stdoutBytes: z.number().int(),
  stderrBytes: z.number().int(),
});

export const sshSessionStatus = defineTool({
  name: 'ssh_session_status',
  title: 'Show one session in detail',
  description:
    'Shows one session: connection, lanes, running, queued and the last 20 commands, bytes, keep-alive round-trip time, reconnects. Use it when a call answered that a session is lost or busy. Never waits for a command. Example: {"sessionName":"web-1"}.',
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
    running: commandRow.nullable(),
    queued: z.array(commandRow),
    recent: z.array(commandRow),
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
    'Lists the host aliases of the person’s ssh_config that ssh_connect takes as host, with address, port, user and key file names, never a secret. Use it when the person names a host by a short name. Pattern blocks are not listed. Example: {}.',
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
