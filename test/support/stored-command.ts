// A command whose output a test writes itself: for the transcript, which only refers to spools.
import type { CommandView, StreamName } from '../../src-shared/model/index.ts';
import type { ByteStream, Command } from '../../src-main/core/sessions/port.ts';

/** The command, and the test's hold on its output. */
export interface StoredCommand {
  readonly command: Command;
  /** Stores bytes; the answer is the offset at which they stand. */
  readonly store: (name: StreamName, bytes: Buffer) => number;
}

/** Makes one that runs. */
export function createStoredCommand(id: string, text: string, workingDir: string | null = '/home/ada'): StoredCommand {
  const stored: Record<StreamName, Buffer> = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
  const stream = (name: StreamName): ByteStream => ({
    get length() {
      return stored[name].length;
    },
    ended: false,
    // Never more than 5 bytes at once, as a file may give less than it was asked for.
    read: async (offset, limit) => stored[name].subarray(offset, offset + Math.min(limit, 5)),
    onChange: () => () => undefined,
  });
  const streams = { stdout: stream('stdout'), stderr: stream('stderr') };
  const view: CommandView = {
    ...{ commandId: id, sessionName: 'web-1', actor: { kind: 'system' }, command: text, status: 'running' },
    ...{ exitCode: null, signal: null, workingDir, queuedAt: 1, startedAt: 2, endedAt: null },
    ...{ stdoutBytes: 0, stderrBytes: 0, shellRestarted: false, queuePosition: null },
  };
  const command: Command = {
    id,
    view: () => view,
    stream: (name) => streams[name],
    workingDirAfter: null,
    notices: [],
    fault: null,
    ended: Promise.resolve(),
    lastLine: () => '',
    cancel: () => Promise.resolve(),
    onChange: () => () => undefined,
  };
  return {
    command,
    store(name, bytes) {
      const offset = stored[name].length;
      stored[name] = Buffer.concat([stored[name], bytes]);
      return offset;
    },
  };
}
