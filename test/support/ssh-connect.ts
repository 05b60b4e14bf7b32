// Connects with the product's own SSH connection, for tests that need one.
import { connect } from '../../src-main/core/ssh/connect.ts';
import type { ConnectOptions, Credentials, ExecChannel, SshConnection } from '../../src-main/core/ssh/port.ts';
import type { TestSshd } from './sshd.ts';

/** Options that accept every new key, remember none, and wait ten seconds. */
export function connectOptions(changes: Partial<ConnectOptions> = {}): ConnectOptions {
  return {
    timeoutMs: 10_000,
    keepAliveMs: 15_000,
    askHostKey: () => Promise.resolve(),
    knownHostsFiles: ['/dev/null'],
    sessionName: 'test',
    actor: { kind: 'system' },
    signal: new AbortController().signal,
    log: () => undefined,
    ...changes,
  };
}

export interface ConnectChanges extends Partial<ConnectOptions> {
  readonly username?: string;
  readonly credentials?: Credentials;
  readonly identityFiles?: readonly string[];
  readonly host?: string;
  readonly port?: number;
}

/** Connects to a test server; by default with the first account's key. */
export function connectTo(
  server: Pick<TestSshd, 'port' | 'account'>,
  changes: ConnectChanges = {},
): Promise<SshConnection> {
  const { username, credentials, identityFiles, host, port, ...options } = changes;
  const target = {
    host: host ?? '127.0.0.1',
    port: port ?? server.port,
    username: username ?? server.account.name,
    credentials: credentials ?? { keyFile: server.account.keyFile },
    identityFiles: identityFiles ?? [],
  };
  return connect(target, connectOptions(options));
}

/** What one exec gave. */
export interface ExecResult {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** Collects everything of a channel until it closes. */
export function collect(channel: ExecChannel): Promise<ExecResult> {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  channel.onStdout = (bytes) => stdout.push(bytes);
  channel.onStderr = (bytes) => stderr.push(bytes);
  return new Promise((resolve) => {
    channel.onClose = (end) => resolve({ stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr), ...end });
  });
}

/** Runs one exec request to its end and gives stdout as text. */
export async function execText(connection: SshConnection, command: string): Promise<string> {
  const channel = await connection.exec(command);
  const result = collect(channel);
  channel.endInput();
  return (await result).stdout.toString();
}
