// The marks inside a Commands transcript, by which a view knows where each command's block begins and ends.

/** OSC number of our marks. */
export const MARK_OSC = 7719;

/** What a mark says. */
export interface TranscriptMark {
  readonly kind: 'start' | 'output' | 'end';
  readonly commandId: string;
}

/**
 * Bytes of a mark: `ESC ] 7719 ; <word> ; <kind> ; <commandId> BEL`.
 * `word` is random per transcript and told to views only in `stream.open`, so that output cannot forge a mark.
 */
export function encodeMark(word: string, mark: TranscriptMark): string {
  return `\u001b]${MARK_OSC};${word};${mark.kind};${mark.commandId}\u0007`;
}

/** Reads the text of OSC 7719; undefined when the word is wrong or the text is no mark. */
export function decodeMark(word: string, text: string): TranscriptMark | undefined {
  const [given, kind, commandId] = text.split(';');
  if (given !== word || commandId === undefined) return undefined;
  if (kind !== 'start' && kind !== 'output' && kind !== 'end') return undefined;
  return { kind, commandId };
}
