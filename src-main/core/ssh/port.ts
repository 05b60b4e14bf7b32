// The narrow port behind which a connection stands, so that it can later live in a worker.
import type { Actor } from '../../../src-shared/model/index.ts';

/** How to log in. Secrets stay in memory only. */
export interface Credentials {
  readonly username?: string;
  readonly keyFile?: string;
  readonly passphrase?: string;
  readonly password?: string;
  readonly agent?: boolean;
}

/** Where to connect and how; aliases are resolved already. */
export interface ConnectTarget {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly credentials: Credentials;
  /** Key files an ssh_config alias names; used when `credentials` brings none. */
  readonly identityFiles: readonly string[];
}

/** What the server's key check needs to know and to ask. */
export interface HostKeyQuestion {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly keyType: string;
  /** Raw public key blob, RFC 4253 section 6.6. */
  readonly key: Uint8Array;
  /** `SHA256:` and unpadded base64. */
  readonly fingerprint: string;
  readonly sessionName: string;
  readonly actor: Actor;
}

/**
 * Decides about an unknown key: resolves when it is trusted, rejects with HOST_KEY_UNKNOWN (after at most 45 s) or DENIED.
 * A changed or revoked key never gets here. The connection's own time-out stands still meanwhile.
 */
export type AskHostKey = (question: HostKeyQuestion, signal: AbortSignal) => Promise<void>;

/** A channel that runs one exec request, without a PTY. Back-pressure: pause() and resume() act on both streams. */
export interface ExecChannel {
  /** Called with each piece as it arrives. The buffer is the receiver's. Set before the next turn of the event loop. */
  onStdout: (bytes: Buffer) => void;
  onStderr: (bytes: Buffer) => void;
  /** After all data of both streams was delivered; once. */
  onClose: (end: { readonly exitCode: number | null; readonly signal: string | null }) => void;
  /** One call, one packet where it fits. Resolves when the socket can take more. */
  write(bytes: Uint8Array | string): Promise<void>;
  /** Sends end of file on stdin. */
  endInput(): void;
  /** Sends a signal request (RFC 4254 section 6.9), name without SIG; not every server obeys. */
  signal(name: string): void;
  pause(): void;
  resume(): void;
  close(): void;
}

/** A channel with a PTY and the login shell. */
export interface ShellChannel {
  onData: (bytes: Buffer) => void;
  onClose: (end: { readonly exitCode: number | null; readonly signal: string | null }) => void;
  write(bytes: Uint8Array | string): Promise<void>;
  resize(cols: number, rows: number): void;
  pause(): void;
  resume(): void;
  close(): void;
}

/** A live connection, logged in. */
export interface SshConnection {
  readonly serverVersion: string;
  readonly fingerprint: string;
  readonly hostKeyType: string;
  /** Text before the SSH line and the login banner, control characters removed. */
  readonly banner: string;
  readonly username: string;
  /** Bytes on the wire so far. */
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Round-trip time of the last keep-alive in milliseconds; null before the first. */
  readonly rttMs: number | null;
  /** Called once when the connection ends for any reason but close(); reason is a sentence. */
  onLost: (reason: string) => void;
  /** Opens a channel; rejects with UNSUPPORTED (server refuses exec or channel; details.reason) or SESSION_LOST. */
  exec(command: string): Promise<ExecChannel>;
  shell(size: { readonly cols: number; readonly rows: number; readonly term: string }): Promise<ShellChannel>;
  /** Really closes the socket, also on a stalled link. Channels get onClose with nulls. */
  close(): void;
}

/** Everything a connect needs beside the target. */
export interface ConnectOptions {
  /** Whole time for connect and login in milliseconds, time spent asking a person excluded. */
  readonly timeoutMs: number;
  readonly keepAliveMs: number;
  readonly askHostKey: AskHostKey;
  /** known_hosts files to read; the last one is ours, where new keys are added. */
  readonly knownHostsFiles: readonly string[];
  readonly sessionName: string;
  readonly actor: Actor;
  readonly signal: AbortSignal;
  /** Line for the log; never holds a secret. */
  readonly log: (message: string, details?: Readonly<Record<string, unknown>>) => void;
}

/** Connects and logs in; rejects with NETWORK_ERROR, CONNECTION_ERROR, AUTHENTICATION_FAILED, HOST_KEY_UNKNOWN or HOST_KEY_CHANGED. */
export type Connect = (target: ConnectTarget, options: ConnectOptions) => Promise<SshConnection>;
