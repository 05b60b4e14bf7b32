// A real shell process of this machine behind the channel interface, for tests of the driver that need no server.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import type { ExecChannel } from '../../src-main/core/ssh/port.ts';

/** How sshd would start an exec request for an account with this login shell. */
export interface LocalAccount {
  readonly shell: string;
  /** Arguments before `-c`, such as `ash` for BusyBox. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Opens channels; `end()` kills what is left of every process that was started, by its own pid. */
export function createLocalAccount(account: LocalAccount): {
  readonly open: (command: string) => Promise<ExecChannel>;
  readonly end: () => void;
} {
  const started: ChildProcess[] = [];
  const open = (command: string): Promise<ExecChannel> => {
    const child = spawn(account.shell, [...(account.args ?? []), '-c', command], {
      cwd: account.cwd ?? '/tmp',
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/tmp', LANG: 'C.UTF-8', ...account.env },
      detached: true,
    });
    started.push(child);
    return Promise.resolve(channelOf(child));
  };
  const end = (): void => {
    for (const { pid, exitCode } of started) {
      if (pid === undefined || exitCode !== null) continue;
      try {
        process.kill(-pid, 'SIGKILL');
      } catch {
        // The group is gone already.
      }
    }
  };
  return { open, end };
}

function channelOf(child: ChildProcess): ExecChannel {
  const { stdin, stdout, stderr, pid } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error('the shell has no pipes');
  stdin.on('error', () => undefined);
  let closed = false;
  const channel: ExecChannel = {
    onStdout: () => undefined,
    onStderr: () => undefined,
    onClose: () => undefined,
    write: (bytes) => new Promise((resolve) => stdin.write(bytes, () => resolve())),
    endInput: () => stdin.end(),
    signal: (name) => {
      if (pid !== undefined) process.kill(-pid, `SIG${name}`);
    },
    pause: () => {
      stdout.pause();
      stderr.pause();
    },
    resume: () => {
      stdout.resume();
      stderr.resume();
    },
    close: () => {
      if (closed) return;
      closed = true;
      stdin.end();
      queueMicrotask(() => channel.onClose({ exitCode: null, signal: null }));
    },
  };
  stdout.on('data', (bytes: Buffer) => closed || channel.onStdout(bytes));
  stderr.on('data', (bytes: Buffer) => closed || channel.onStderr(bytes));
  child.on('close', (exitCode, signal) => {
    if (closed) return;
    closed = true;
    channel.onClose({ exitCode, signal: signal?.replace(/^SIG/, '') ?? null });
  });
  return channel;
}
