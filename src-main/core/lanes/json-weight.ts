// How much room text takes in a JSON message, and cuts by it on character borders.

/** A text of weight n has at most n characters, and at most 1.1 n when it is written as JSON. */
const ESCAPE_WEIGHT = 2 / 1.1;
const UNICODE_ESCAPE_WEIGHT = 6 / 1.1;

/** Weight of a whole text. */
export function jsonWeight(text: string): number {
  let weight = 0;
  for (let at = 0; at < text.length; at += 1) weight += unitWeight(text.charCodeAt(at));
  return weight;
}

/** The longest start within `room` that does not end inside a character. */
export function cutStart(text: string, room: number): string {
  let left = room;
  let at = 0;
  while (at < text.length) {
    const width = isHighSurrogate(text.charCodeAt(at)) ? 2 : 1;
    left -= jsonWeight(text.slice(at, at + width));
    if (left < 0) break;
    at += width;
  }
  return text.slice(0, at);
}

/** The longest end within `room` that does not start inside a character. */
export function cutEnd(text: string, room: number): string {
  let left = room;
  let at = text.length;
  while (at > 0) {
    const width = at > 1 && isHighSurrogate(text.charCodeAt(at - 2)) ? 2 : 1;
    left -= jsonWeight(text.slice(at - width, at));
    if (left < 0) break;
    at -= width;
  }
  return text.slice(at);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function unitWeight(unit: number): number {
  if (unit === 0x22 || unit === 0x5c || (unit >= 0x08 && unit <= 0x0d && unit !== 0x0b)) return ESCAPE_WEIGHT;
  return unit < 0x20 ? UNICODE_ESCAPE_WEIGHT : 1;
}
