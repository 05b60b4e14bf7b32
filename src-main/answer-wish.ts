// Answers on the command line that start nothing, the same from the app and from the program without a window.
import { assertNever } from '../src-shared/assert-never.ts';
import { PATCHBAY_VERSION } from '../src-shared/mcp-identity.ts';
import { clientEntry } from './core/config/client-entry.ts';
import type { ProgramFacts } from './core/config/client-entry.ts';
import { usageLines } from './program-options.ts';
import type { RunWish, Wish } from './program-options.ts';
import { stopRunning } from './second-start.ts';
import { refuse, say } from './terminal-talk.ts';

/** Says what was asked for, or why it is refused; the exit code is set where it is not 0. */
export async function answerWish(wish: Exclude<Wish, RunWish>, facts: ProgramFacts): Promise<void> {
  switch (wish.kind) {
    case 'version':
      return say([PATCHBAY_VERSION]);
    case 'help':
      return say(usageLines());
    case 'client-entry':
      return say([clientEntry(facts, wish.style)]);
    case 'mistake':
      return refuse([wish.fault]);
    case 'stop':
      return stopRunning(facts.environment, wish.force);
    default:
      assertNever(wish);
  }
}
