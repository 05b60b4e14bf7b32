// The words of ours in a Commands transcript: headers, notes, and what tidies up behind a command's output.
import { visibleText } from '../../../src-shared/visible-text.ts';

/** Characters of a command that its header shows. */
const HEADER_CHARS = 4000;

/** Colour of stderr: palette colour 1, which views set by their theme. */
export const STDERR_ON = '\u001b[31m';
export const STDERR_OFF = '\u001b[39m';

/** Directory and command, as lines. */
export function headerText(workingDir: string | null, command: string): string {
  const shown = command.length > HEADER_CHARS ? `${command.slice(0, HEADER_CHARS)}…` : command;
  const left = command.length - HEADER_CHARS;
  const more = left > 0 ? ` \u001b[2m(${left} characters more)\u001b[22m` : '';
  const place = workingDir === null ? '' : `\u001b[2m${visibleText(workingDir)}\u001b[22m `;
  return `${place}\u001b[1m${visibleText(shown)}\u001b[0m${more}\n`;
}

/** A line that Patchbay itself says. */
export function noteText(text: string): string {
  return `\u001b[2m${visibleText(text)}\u001b[0m\n`;
}

/**
 * Ends whatever output has left open. CAN aborts a control sequence that was cut off, so that it cannot swallow what
 * follows; then back to the normal screen, soft reset (margins, modes), shift in.
 */
export function tidyText(hadControls: boolean, endsLine: boolean): string {
  const controls = hadControls ? '\u0018\u001b[?47l\u001b[!p\u000f' : '';
  return `${controls}\u001b[0m${endsLine ? '' : '\n'}`;
}
