// Understands the part of fpm's command line that electron-builder uses for a deb.
import { PlainFailure } from '../setup/say.mjs';

const SWITCHES = new Set(['force', 'debug']);
const LISTS = new Set(['d', 'deb-recommends']);

/**
 * @param {readonly string[]} args
 * @returns {{value: Record<string, string>, list: Record<string, string[]>, inputs: {source: string, target: string}[]}}
 */
export function parseFpmOptions(args) {
  const parsed = { value: {}, list: { d: [], 'deb-recommends': [] }, inputs: [] };
  const rest = [...args];
  while (rest.length > 0) {
    const arg = rest.shift();
    if (arg.startsWith('-')) readOption(arg, rest, parsed);
    else parsed.inputs.push(readInput(arg));
  }
  if (parsed.value.s !== 'dir' || parsed.value.t !== 'deb') throw new PlainFailure('only -s dir -t deb is possible');
  return parsed;
}

function readOption(arg, rest, parsed) {
  const [, name, inline] = /^--?([^=]+)(?:=(.*))?$/s.exec(arg);
  if (SWITCHES.has(name)) return;
  const text = inline ?? rest.shift();
  if (text === undefined) throw new PlainFailure(`${arg} needs a value`);
  if (LISTS.has(name)) parsed.list[name].push(text);
  else parsed.value[name] = text;
}

/** A folder's source ends with a slash: its content goes into the target. */
function readInput(arg) {
  const cut = arg.lastIndexOf('=');
  if (cut < 0) throw new PlainFailure(`${arg} is not SOURCE=TARGET`);
  return { source: arg.slice(0, cut), target: arg.slice(cut + 1) };
}
