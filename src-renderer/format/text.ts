// Texts cut and cleaned for one line of the screen.
import { visibleText } from '../../src-shared/visible-text.ts';

/** One line of a command: line breaks as a sign, what cannot be seen as a picture. */
export function oneLine(text: string): string {
  return visibleText(text.replaceAll(/\r?\n/g, ' ⏎ ').replaceAll('\t', ' '));
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
