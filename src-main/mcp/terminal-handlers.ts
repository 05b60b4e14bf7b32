// The tool that types into the terminal of a session.
import { invalidParams } from './parse-arguments.ts';
import { NO_PROGRESS } from './waiting.ts';
import type { Handler } from './tool-types.ts';

/** Seconds that a call waits when it does not say. */
const WAIT_SECONDS = 10;
/** Size of a terminal that no view has given another one: wide enough that output is rarely wrapped. */
const SIZE = { cols: 120, rows: 32 };
/** Characters of new output in one result, counted as JSON; the screen comes on top. */
const OUTPUT_CHARS = 20_000;

export const sshTerminal: Handler<'ssh_terminal'> = async (args, { sessions, signal, progress }) => {
  const waitFor = args.waitFor === undefined ? null : pattern(args.waitFor);
  const session = sessions.get(args.sessionName);
  await session.terminal.ensureOpen(SIZE);
  const stop = (progress ?? NO_PROGRESS).report(() => `waiting for ${args.waitFor ?? 'quiet'}`);
  const waitMs = (args.waitSeconds ?? WAIT_SECONDS) * 1000;
  const request = { input: args.input ?? '', keys: args.keys ?? [], waitFor, waitMs, signal };
  const answer = await session.terminal.converse(request).finally(stop);
  const tail = lastPart(answer.output);
  const truncated = answer.truncated || tail.length < answer.output.length;
  // A client that has given up never sees this result, so the person's note has to stay for the next one.
  const notices = signal.aborted ? [] : [...session.takeNotices()];
  const { screen, cursor, matched, ended } = answer;
  const structure = { output: tail, screen, cursor, matched, ended, truncated, notices };
  const seen = matched === null ? '' : matched ? ', waitFor was seen' : ', waitFor was not seen';
  const head = `${ended ? 'The terminal has closed' : 'The terminal is open'}${seen}, cursor at row ${cursor.row}, column ${cursor.column}`;
  const text = [head, `New output${truncated ? ' (its end)' : ''}:`, tail, 'Screen:', screen].join('\n');
  return { structure, text };
};

function pattern(source: string): RegExp {
  try {
    return new RegExp(source);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw invalidParams([{ field: 'waitFor', problem: `must be a regular expression of JavaScript (${why})` }]);
  }
}

/** The end of a text, so short that its JSON form stays below the limit. */
function lastPart(text: string): string {
  let part = text.slice(-OUTPUT_CHARS);
  while (JSON.stringify(part).length > OUTPUT_CHARS) part = part.slice(Math.ceil(part.length / 8));
  return part.replace(/^[\uDC00-\uDFFF]/, '');
}
