// Patterns that come from a model: checked before use, and matched under a deadline.
import vm from 'node:vm';
import { appError } from '../../../src-shared/errors.ts';

/** A match that takes longer is given up: backtracking can take years, and the event loop must not wait. */
const MATCH_MS = 40;
/** Only the end of the text is searched. */
const SEARCHED_CHARS = 64 * 1024;

const context = vm.createContext({ source: '', flags: '', text: '' });
const script = new vm.Script('new RegExp(source, flags).test(text)');

/** The pattern as a regular expression in which ^ and $ stand for line ends. Throws INVALID_PARAMS. */
export function compileWaitFor(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'm');
  } catch (error) {
    throw appError('INVALID_PARAMS', {
      message: `waitFor is not a valid regular expression: ${error instanceof Error ? error.message : pattern}`,
      details: { field: 'waitFor', value: pattern },
    });
  }
}

/** Whether the pattern occurs near the end of the text; ^ and $ always stand for line ends. Throws INVALID_PARAMS when that takes too long to tell. */
export function matchesWithin(pattern: RegExp, text: string): boolean {
  const flags = pattern.multiline ? pattern.flags : `${pattern.flags}m`;
  // irregexp heeds an interrupt while it backtracks, so the limit of vm holds (measured: 51 ms at a limit of 40).
  Object.assign(context, { source: pattern.source, flags, text: text.slice(-SEARCHED_CHARS) });
  // On a busy machine a process can be held up for longer than that: only a pattern that is late twice is slow.
  for (const isLast of [false, true]) {
    try {
      return script.runInContext(context, { timeout: MATCH_MS }) === true;
    } catch {
      // The pattern compiled before, so the only way to get here is the deadline.
      if (isLast) throw tooSlow(pattern);
    }
  }
  return false;
}

function tooSlow(pattern: RegExp): Error {
  return appError('INVALID_PARAMS', {
    message: `waitFor takes too long to match: ${pattern.source}`,
    hint: 'Use a simpler pattern, without a repeated group inside a repetition.',
    details: { field: 'waitFor', reason: 'pattern_too_slow', value: pattern.source },
  });
}
