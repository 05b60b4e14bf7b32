// A start of the app where a Patchbay without a window has the data folder: it makes way, or the person decides.
import { app, clipboard, shell } from 'electron';
import type { RunFile } from '../core/config/run-file.ts';
import { stuckFault, takeOver } from '../end-other.ts';
import { lookAtWork } from '../other-work.ts';
import type { OtherSession } from '../other-work.ts';
import type { StartResult } from '../running.ts';
import { makesWay } from '../second-start.ts';
import { askAboutOther, waitForPaste } from './dialogs.ts';
import { isScreenless } from './screen-kind.ts';

/** What the person wants, as far as it is known. */
export interface Meeting {
  readonly dataDir: string;
  readonly other: RunFile;
  /** `--take-over` was given. */
  readonly takeOver: boolean;
  readonly start: () => Promise<StartResult>;
  /** Runs the question with no window before it. */
  readonly alone: <T>(question: () => Promise<T>) => Promise<T>;
}

/** `left`: the other stays, and the person knows; `elsewhere`: it stays, and they have to be told. */
export type MeetingResult = StartResult | { readonly kind: 'left' };

/** Decides and acts. */
export async function meetOther({ dataDir, other, takeOver: forced, start, alone }: Meeting): Promise<MeetingResult> {
  const work = await lookAtWork(other);
  if (!forced && !makesWay(other, work)) {
    if (isScreenless()) return { kind: 'elsewhere', other };
    if ((await alone(() => giveWay(() => ask(other, work)))) !== 'take-over') return { kind: 'left' };
  }
  const result = await takeOver(dataDir, other, start);
  return result ?? { kind: 'refused', faults: [stuckFault(other)] };
}

async function ask(
  other: RunFile,
  work: readonly OtherSession[] | undefined,
): Promise<'page' | 'take-over' | undefined> {
  await app.whenReady();
  const answer = await askAboutOther(other, work);
  if (answer === 'page') await openPage(other);
  return answer;
}

/** There is no desktop yet that would see to signals: a question must not outlive them. */
async function giveWay<T>(question: () => Promise<T>): Promise<T> {
  const exit = (): void => app.exit(0);
  for (const signal of SIGNALS) process.on(signal, exit);
  try {
    return await question();
  } finally {
    for (const signal of SIGNALS) process.off(signal, exit);
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** No token is ever part of an address: the page asks for it, and the person pastes it. */
async function openPage({ monitorUrl, tokens }: RunFile): Promise<void> {
  await clipboard.writeText(tokens.operator);
  await shell.openExternal(`${monitorUrl}/`);
  await waitForPaste();
}
