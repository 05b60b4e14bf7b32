// A scripted PTY channel in place of a server's, for what needs exact control over bytes and moments.
import type { ShellChannel } from '../../src-main/core/ssh/port.ts';

/** The channel, and the test's hold on it. */
export interface PtyDouble {
  readonly channel: ShellChannel;
  /** Everything typed so far. */
  readonly typed: () => string;
  readonly sizes: string[];
  paused: boolean;
  closed: boolean;
  /** The host prints. */
  print(text: string | Uint8Array): void;
  /** The host ends the shell. */
  exit(exitCode: number | null): void;
  /** Called with what is typed. */
  onTyped: (text: string) => void;
}

/** Makes one. */
export function createPtyDouble(): PtyDouble {
  let typed = '';
  const channel: ShellChannel = {
    onData: () => undefined,
    onClose: () => undefined,
    async write(bytes) {
      const text = typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString();
      typed += text;
      double.onTyped(text);
    },
    resize: (cols, rows) => void double.sizes.push(`${cols}x${rows}`),
    pause: () => void (double.paused = true),
    resume: () => void (double.paused = false),
    close: () => void (double.closed = true),
  };
  const double: PtyDouble = {
    channel,
    typed: () => typed,
    sizes: [],
    paused: false,
    closed: false,
    print: (text) => channel.onData(Buffer.from(text)),
    exit: (exitCode) => channel.onClose({ exitCode, signal: null }),
    onTyped: () => undefined,
  };
  return double;
}
