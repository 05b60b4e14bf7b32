// Makes a view's terminal mute: the core's emulator is the only one that answers what a host asks.
import { swallow } from './parser.ts';
import type { Parser } from './parser.ts';

/** OSC numbers whose text `?` asks for a colour. */
const COLOUR_QUERIES = [4, 10, 11, 12];

/** Hooks a parser so that no query of a host makes xterm.js write an answer, neither live nor when old output is drawn. */
export function silenceQueries(parser: Parser): void {
  // Device attributes (primary, secondary, tertiary), status and cursor reports, modes, size and title reports, version.
  for (const prefix of [undefined, '>', '=', '?']) {
    for (const final of ['c', 'n'])
      parser.registerCsiHandler(prefix === undefined ? { final } : { prefix, final }, swallow);
  }
  parser.registerCsiHandler({ final: 'x' }, swallow);
  parser.registerCsiHandler({ final: 't' }, swallow);
  parser.registerCsiHandler({ prefix: '>', final: 'q' }, swallow);
  parser.registerCsiHandler({ prefix: '?', final: 'u' }, swallow);
  parser.registerCsiHandler({ intermediates: '$', final: 'p' }, swallow);
  parser.registerCsiHandler({ prefix: '?', intermediates: '$', final: 'p' }, swallow);
  parser.registerDcsHandler({ intermediates: '$', final: 'q' }, swallow);
  parser.registerDcsHandler({ intermediates: '+', final: 'q' }, swallow);
  parser.registerEscHandler({ final: 'Z' }, swallow);
  for (const id of COLOUR_QUERIES) parser.registerOscHandler(id, (text) => text.split(';').includes('?'));
}
