// Talks with the person at the terminal: lines, refusals, and a question where somebody can answer it.
import { createInterface } from 'node:readline/promises';
import { EXIT_REFUSED } from '../src-shared/mcp-identity.ts';

/** Prints lines for the person. */
export function say(lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}

/** Says why nothing is done; the exit code says so, too. */
export function refuse(faults: readonly string[]): void {
  process.exitCode = EXIT_REFUSED;
  for (const fault of faults) process.stderr.write(`patchbay: ${fault}\n`);
}

/** True after `y` or `yes`; undefined where nobody is there to ask. */
export async function confirm(question: string): Promise<boolean | undefined> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined;
  const talk = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await talk.question(`${question} [y/N] `)).trim());
  } finally {
    talk.close();
  }
}
