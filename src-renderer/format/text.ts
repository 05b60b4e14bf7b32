// Texts cut and cleaned for one line of the screen.

/** Control, format and bidirectional characters that could change what a line seems to say. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** One line of a command: line breaks as a sign, invisible characters as their code point. */
export function oneLine(text: string): string {
  return text.replaceAll(/\r?\n/g, ' ⏎ ').replaceAll('\t', ' ').replaceAll(INVISIBLE, codePoint);
}

function codePoint(character: string): string {
  const number = character.codePointAt(0) ?? 0;
  return `⟨U+${number.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** Cuts a long name in the middle, so that both ends stay: for hosts and paths. */
export function cutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.ceil((most - 1) / 2);
  return `${text.slice(0, head)}…${text.slice(text.length - (most - 1 - head))}`;
}

/** `deploy@203.0.113.10:22`, with brackets around an IPv6 address. */
export function addressOf(place: { readonly username: string; readonly host: string; readonly port: number }): string {
  const host = place.host.includes(':') ? `[${place.host}]` : place.host;
  return `${place.username}@${host}:${place.port}`;
}

/** `1 session`, `3 sessions`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
