// Reads a stream of server-sent events (WHATWG HTML, section 9.2) piece by piece.

/** One event. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
  /** Last id seen so far; empty when there was none. */
  readonly lastId: string;
}

/** Longest event that is taken, in characters; a longer one ends the stream. */
const EVENT_MAX = 64 * 1024 * 1024;

/** Yields the events of a response body. */
export async function* readEvents(body: AsyncIterable<Buffer>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let rest: string[] = [];
  let size = 0;
  let event = new EventBuilder('');
  for await (const bytes of body) {
    const pieces = decoder.decode(bytes, { stream: true }).split('\n');
    for (const [index, piece] of pieces.entries()) {
      rest.push(piece);
      size += piece.length;
      if (size > EVENT_MAX) throw new Error('an event of the server is too long');
      if (index === pieces.length - 1) continue;
      const done = event.line(rest.join('').replace(/\r$/, ''));
      rest = [];
      if (done === undefined) continue;
      event = new EventBuilder(done.lastId);
      size = 0;
      if (done.data !== '' || done.event !== 'message') yield done;
    }
  }
}

class EventBuilder {
  #event = 'message';
  readonly #data: string[] = [];
  #lastId: string;

  constructor(lastId: string) {
    this.#lastId = lastId;
  }

  /** Takes one line; the event when the line was the empty one that ends it. */
  line(line: string): ServerEvent | undefined {
    if (line === '') return { event: this.#event, data: this.#data.join('\n'), lastId: this.#lastId };
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') this.#event = value;
    if (field === 'data') this.#data.push(value);
    if (field === 'id') this.#lastId = value;
    return undefined;
  }
}
