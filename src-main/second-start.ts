// A start or a --stop at the terminal where a Patchbay has the data folder already.
import { INSTANCE_LOCK } from '../src-shared/mcp-identity.ts';
import { dataDirOf } from './core/config/data-dir.ts';
import type { Environment } from './core/config/data-dir.ts';
import { lockHolder } from './core/config/folder-lock.ts';
import { readRunFile } from './core/config/run-file.ts';
import type { RunFile } from './core/config/run-file.ts';
import { stopOther, stuckFault, takeOver } from './end-other.ts';
import { foundLines } from './headless-lines.ts';
import { lookAtWork, sessionLines } from './other-work.ts';
import type { OtherSession } from './other-work.ts';
import type { RunWish } from './program-options.ts';
import type { StartResult } from './running.ts';
import { confirm, refuse, say } from './terminal-talk.ts';

/** One that a bridge started and nobody works with makes way for a person's without a question. */
export function makesWay(other: RunFile, work: readonly OtherSession[] | undefined): boolean {
  return other.mode === 'headless' && other.startedBy === 'bridge' && work?.length === 0;
}

/** Says where the other is, or takes its place; the result of that start, undefined when nothing was started. */
export async function meetOther(
  dataDir: string,
  other: RunFile,
  { wish, start }: { readonly wish: RunWish; readonly start: () => Promise<StartResult> },
): Promise<StartResult | undefined> {
  const work = await lookAtWork(other);
  if (!makesWay(other, work)) {
    if (!wish.takeOver) {
      say(foundLines(other));
      return undefined;
    }
    if (!(await mayEnd(work, wish.force, '--take-over --force'))) return undefined;
  }
  const result = await takeOver(dataDir, other, start);
  if (result === undefined) refuse([stuckFault(other)]);
  return result;
}

/** `--stop`. */
export async function stopRunning(environment: Environment, force: boolean): Promise<void> {
  const dataDir = dataDirOf(environment);
  const [other, holder] = await Promise.all([readRunFile(dataDir), lockHolder(dataDir, INSTANCE_LOCK)]);
  if (other === undefined || holder !== other.pid) return say([`No Patchbay runs with the data folder ${dataDir}.`]);
  if (!(await mayEnd(await lookAtWork(other), force, '--stop --force'))) return;
  if (!(await stopOther(dataDir, other))) return refuse([stuckFault(other)]);
  say([`Patchbay (process ${other.pid}) has ended. Assistants cannot use it until somebody starts it again.`]);
}

async function mayEnd(work: readonly OtherSession[] | undefined, force: boolean, again: string): Promise<boolean> {
  if (force || work?.length === 0) return true;
  const lines = whatIsCut(work);
  const answer = await confirm([...lines, 'End it?'].join('\n'));
  if (answer === undefined) refuse([...lines, `Nothing was ended. To end it all the same: ${again}`]);
  return answer === true;
}

/** What the person has to know before the other is ended. */
export function whatIsCut(work: readonly OtherSession[] | undefined): readonly string[] {
  if (work === undefined) return ['The Patchbay that runs does not answer, so what would be closed is not known.'];
  const head = work.length === 1 ? 'This session would be closed:' : `These ${work.length} sessions would be closed:`;
  return [head, ...sessionLines(work).map((line) => `  ${line}`)];
}
