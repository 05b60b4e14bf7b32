// What the bridge tells on stderr: one short line at a time, for the client's log.

/** Longest line, in characters. */
const LINE_MAX = 400;

/** Writes one line; control characters are left out. Never pass a secret. */
export function say(text: string): void {
  const line = text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, LINE_MAX);
  process.stderr.write(`patchbay bridge: ${line}\n`);
}
