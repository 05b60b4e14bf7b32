// Runs a program to its end and gives its output; for small helpers of tests such as ssh-keygen.
import { spawn } from 'node:child_process';

export interface RunResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Exit codes that are fine; default only 0. */
  readonly codes?: readonly number[];
}

/** Rejects when the program ends with another code than those allowed. */
export async function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (bytes: Buffer) => stdout.push(bytes));
  child.stderr.on('data', (bytes: Buffer) => stderr.push(bytes));
  // A program that never reads its input closes the pipe; its exit code tells whether that was right.
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input ?? '');
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const result = { code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
  if (!(options.codes ?? [0]).includes(code ?? -1)) {
    throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${result.stderr}`);
  }
  return result;
}
