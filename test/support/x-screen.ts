// An X screen of the test's own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The screen. */
export interface XScreen {
  /** For DISPLAY. */
  readonly display: string;
  close(): Promise<void>;
}

/** Starts Xvfb on a free display. */
export async function startXScreen(): Promise<XScreen> {
  const args = ['-displayfd', '1', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp', '-noreset'];
  const server = spawn('Xvfb', args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const [number] = (await once(server.stdout, 'data')) as [Buffer];
  return {
    display: `:${number.toString().trim()}`,
    async close() {
      if (server.exitCode !== null) return;
      server.kill('SIGTERM');
      await once(server, 'exit');
    },
  };
}
