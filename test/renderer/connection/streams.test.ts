import { describe, expect, it } from 'vitest';
import { Streams } from '../../../src-renderer/connection/streams.ts';
import type { StreamSink, StreamStart } from '../../../src-renderer/connection/streams.ts';
import type { Call } from '../../../src-renderer/connection/calls.ts';

/** A sink that writes down what it was told, and draws at once. */
class Log implements StreamSink {
  readonly lines: string[] = [];
  text = '';
  drawNow = true;
  readonly waiting: (() => void)[] = [];
  opened(start: StreamStart): void {
    this.lines.push(`opened ${start.mark}`);
  }
  reset(): void {
    this.lines.push('reset');
    this.text = '';
  }
  write(bytes: Uint8Array, drawn: () => void): void {
    this.text += Buffer.from(bytes).toString();
    if (this.drawNow) drawn();
    else this.waiting.push(drawn);
  }
  skipped(bytes: number): void {
    this.lines.push(`skipped ${bytes}`);
  }
  ended(): void {
    this.lines.push('ended');
  }
  failed(): void {
    this.lines.push('failed');
  }
}

interface Opening {
  readonly fromOffset?: number;
}

/** A gateway's side that answers calls as the test says. */
function gateway(mark = { word: 'm1' }) {
  const opens: Opening[] = [];
  const acks: number[] = [];
  const closed: number[] = [];
  const call: Call = (name, input) => {
    const given = input as { fromOffset?: number; offset: number; streamId: number };
    if (name === 'stream.open') {
      opens.push(given.fromOffset === undefined ? {} : { fromOffset: given.fromOffset });
      const answer = { streamId: opens.length, offset: given.fromOffset ?? 0, mark: mark.word, cols: 80, rows: 24 };
      return Promise.resolve(answer) as never;
    }
    if (name === 'stream.ack') acks.push(given.offset);
    if (name === 'stream.close') closed.push(given.streamId);
    return Promise.resolve({}) as never;
  };
  return { call, opens, acks, closed, mark };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const frame = (streamId: number, offset: number, text: string, kind: 'bytes' | 'snapshot' = 'bytes') => ({
  kind,
  streamId,
  offset,
  bytes: Buffer.from(text),
});

async function opened(lane: 'commands' | 'terminal' = 'commands') {
  const side = gateway();
  const streams = new Streams(side.call);
  const log = new Log();
  const handle = streams.open({ session: 's', lane }, log);
  streams.online();
  await settle();
  return { ...side, streams, log, handle };
}

describe('a stream of a view', () => {
  it('goes on after a loss where it stopped: nothing lost, nothing twice', async () => {
    const { streams, log, opens } = await opened();
    streams.frame(frame(1, 0, 'hello '));
    streams.offline();
    streams.online();
    await settle();
    streams.frame(frame(2, 3, 'lo world'));
    expect(log.text).toBe('hello world');
    expect(opens).toEqual([{}, { fromOffset: 6 }]);
    expect(log.lines).toEqual(['reset', 'opened m1', 'opened m1']);
  });

  it('starts anew when another transcript stands under the same name', async () => {
    const { streams, log, opens, mark, closed } = await opened();
    streams.frame(frame(1, 0, 'old text'));
    streams.offline();
    mark.word = 'm2';
    streams.online();
    await settle();
    await settle();
    streams.frame(frame(3, 0, 'new'));
    expect(log.text).toBe('new');
    expect(opens).toEqual([{}, { fromOffset: 8 }, {}]);
    expect(closed).toEqual([2]);
  });

  it('says how much was left out before what it shows', async () => {
    const { streams, log } = await opened();
    streams.skipped({ streamId: 1, offset: 1000, bytes: 1000 });
    streams.frame(frame(1, 1000, 'tail'));
    streams.frame(frame(1, 1010, 'gap'));
    expect(log.lines).toEqual(['reset', 'opened m1', 'skipped 1000', 'skipped 6']);
    expect(log.text).toBe('tailgap');
  });

  it('draws a terminal’s snapshot on a clean slate and goes on behind it', async () => {
    const { streams, log, acks } = await opened('terminal');
    streams.frame(frame(1, 500, 'screen', 'snapshot'));
    streams.frame(frame(1, 500, '+more'));
    expect(log.text).toBe('screen+more');
    expect(log.lines.filter((line) => line === 'reset')).toHaveLength(2);
    expect(acks).toEqual([500, 505]);
  });

  it('asks for a terminal from its drawing again after a loss', async () => {
    const { streams, opens } = await opened('terminal');
    streams.frame(frame(1, 0, 'x'));
    streams.offline();
    streams.online();
    await settle();
    expect(opens).toEqual([{}, {}]);
  });

  it('acknowledges what is drawn, not what has come', async () => {
    const { streams, log, acks } = await opened();
    log.drawNow = false;
    streams.frame(frame(1, 0, 'a'.repeat(200_000)));
    streams.frame(frame(1, 200_000, 'b'));
    expect(acks).toEqual([]);
    for (const drawn of log.waiting.splice(0)) drawn();
    expect(acks).toEqual([200_000, 200_001]);
  });

  it('keeps frames that come before the answer that names their stream', async () => {
    const side = gateway();
    const streams = new Streams(side.call);
    const log = new Log();
    streams.open({ session: 's', lane: 'commands' }, log);
    streams.online();
    streams.frame(frame(1, 0, 'early'));
    await settle();
    expect(log.text).toBe('early');
  });

  it('closes at the gateway what the view closed, also when the answer comes later', async () => {
    const side = gateway();
    const streams = new Streams(side.call);
    const handle = streams.open({ session: 's', lane: 'commands' }, new Log());
    streams.online();
    handle.close();
    await settle();
    expect(side.closed).toEqual([1]);
  });
});
