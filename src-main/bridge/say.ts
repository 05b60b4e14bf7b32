// What the bridge tells on stderr: one short line at a time, for the client's log.

/** Longest line, in characters. */
const LINE_MAX = 400;

/** Writes one line; what cannot be seen is left out. Never pass a secret. */
export function say(text: string): void {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, LINE_MAX);
  process.stderr.write(`patchbay bridge: ${line}\n`);
}
