// One stream to one view: order, flow control, skipping, ending.
import { describe, expect, it } from 'vitest';
import { ViewStream, lineStart } from '../../src-main/gateway/stream.ts';
import type { Drawing, Pace } from '../../src-main/gateway/stream.ts';
import { decodeFrame } from '../../src-shared/protocol/index.ts';
import { GrowingStream } from '../support/growing-stream.ts';
import { waitFor } from '../support/processes.ts';

const PACE: Pace = { ahead: 100, behind: 1000, history: 200 };

interface Seen {
  readonly kind: string;
  readonly offset: number;
  readonly text: string;
}

class Rig {
  readonly source = new GrowingStream();
  readonly seen: Seen[] = [];
  readonly faults: unknown[] = [];
  endings = 0;
  readonly stream: ViewStream;

  constructor(pace = PACE, snapshot: (() => Promise<Drawing>) | null = null, offset = 0) {
    this.stream = new ViewStream(
      {
        id: 7,
        source: this.source,
        pace,
        snapshot,
        send: (packed) => {
          const frame = decodeFrame(packed);
          if (frame === undefined) throw new Error('no frame');
          this.seen.push({ kind: frame.kind, offset: frame.offset, text: Buffer.from(frame.bytes).toString('latin1') });
        },
        skipped: (at, bytes) => this.seen.push({ kind: 'skip', offset: at, text: String(bytes) }),
        ended: () => (this.endings += 1),
        failed: (error) => this.faults.push(error),
      },
      offset,
    );
  }

  get text(): string {
    return this.seen
      .filter(({ kind }) => kind === 'bytes')
      .map(({ text }) => text)
      .join('');
  }

  /** Lets everything that is under way come to rest. */
  async rest(): Promise<void> {
    let before = -1;
    await waitFor('the stream to rest', () => {
      const reads = this.source.reads + this.seen.length;
      const still = reads === before;
      before = reads;
      return still;
    });
  }
}

describe('a stream to a view', () => {
  it('sends history, then what comes, in order and once', async () => {
    const rig = new Rig();
    rig.source.append('history ');
    rig.stream.start(null);
    rig.source.append('live ');
    await rig.rest();
    rig.source.append('later');
    await rig.rest();
    expect(rig.text).toBe('history live later');
    expect(rig.seen.map(({ offset }) => offset)).toEqual(
      rig.seen.map((_, i) => rig.seen.slice(0, i).reduce((n, { text }) => n + text.length, 0)),
    );
  });

  it('sends nothing before it is started', async () => {
    const rig = new Rig();
    rig.source.append('early');
    await rig.rest();
    expect(rig.seen).toEqual([]);
  });

  it('never has more under way than the view may have, and goes on with its word', async () => {
    const rig = new Rig();
    rig.source.append('x'.repeat(250));
    rig.stream.start(null);
    await rig.rest();
    expect(rig.text).toHaveLength(100);
    rig.stream.ack(60);
    await rig.rest();
    expect(rig.text).toHaveLength(160);
    rig.stream.ack(160);
    await rig.rest();
    expect(rig.text).toHaveLength(250);
  });

  it('does not believe a word about bytes that it has not sent', async () => {
    const rig = new Rig();
    rig.source.append('x'.repeat(250));
    rig.stream.start(null);
    rig.stream.ack(1_000_000);
    await rig.rest();
    expect(rig.text).toHaveLength(100);
    rig.stream.ack(-5);
    await rig.rest();
    expect(rig.text).toHaveLength(100);
  });

  it('FC48 skips ahead to a line when the view is too slow, says so, and only after what was sent is drawn', async () => {
    const rig = new Rig();
    rig.stream.start(null);
    rig.source.append('line of twenty bytes'.padEnd(99, '.') + '\n');
    await rig.rest();
    rig.source.append('0123456789abcdefgh\n\n'.repeat(100));
    await rig.rest();
    expect(rig.seen).toHaveLength(1);
    rig.stream.ack(50);
    await rig.rest();
    expect(rig.seen).toHaveLength(1);
    rig.stream.ack(100);
    await rig.rest();
    const [, skip, first] = rig.seen;
    expect(skip?.kind).toBe('skip');
    expect(skip?.offset).toBeGreaterThanOrEqual(2100 - 200);
    expect(Number(skip?.text)).toBe((skip?.offset ?? 0) - 100);
    expect(first).toMatchObject({ kind: 'bytes', offset: skip?.offset });
    const whole = await rig.source.read(0, rig.source.length);
    expect(whole.subarray((skip?.offset ?? 0) - 1, skip?.offset).toString()).toBe('\n');
  });

  it('FC48 draws the screen anew when a terminal skips, and goes on behind it', async () => {
    const rig: Rig = new Rig(PACE, () => Promise.resolve({ bytes: Buffer.from('SCREEN'), offset: rig.source.length }));
    rig.stream.start({ bytes: Buffer.from('START'), offset: 0 });
    rig.source.append('y'.repeat(5000));
    await rig.rest();
    rig.source.append('prompt');
    await rig.rest();
    expect(rig.seen).toEqual([
      { kind: 'snapshot', offset: 0, text: 'START' },
      { kind: 'skip', offset: 5000, text: '5000' },
      { kind: 'snapshot', offset: 5000, text: 'SCREEN' },
      { kind: 'bytes', offset: 5000, text: 'prompt' },
    ]);
  });

  it('skips what the source has dropped meanwhile', async () => {
    const rig = new Rig();
    rig.stream.start(null);
    rig.source.append('a'.repeat(150));
    await rig.rest();
    rig.source.start = 120;
    rig.stream.ack(100);
    await rig.rest();
    expect(rig.faults).toEqual([]);
    expect(rig.seen.slice(1)).toEqual([
      { kind: 'skip', offset: 120, text: '20' },
      { kind: 'bytes', offset: 120, text: 'a'.repeat(30) },
    ]);
  });

  it('tells the end once, after the last byte', async () => {
    const rig = new Rig();
    rig.stream.start(null);
    rig.source.append('z'.repeat(150));
    rig.source.end();
    await rig.rest();
    expect(rig.endings).toBe(0);
    rig.stream.ack(100);
    await rig.rest();
    rig.stream.ack(150);
    await rig.rest();
    expect([rig.text.length, rig.endings]).toEqual([150, 1]);
  });

  it('is silent once it is closed, also when a read was under way', async () => {
    const rig = new Rig();
    rig.source.append('x');
    rig.stream.start(null);
    rig.stream.close();
    rig.source.append('y');
    rig.source.end();
    await rig.rest();
    expect([rig.seen, rig.endings]).toEqual([[], 0]);
  });

  it('says that reading failed, and ends', async () => {
    const rig = new Rig();
    rig.source.read = () => Promise.reject(new Error('disk'));
    rig.stream.start(null);
    rig.source.append('x');
    await waitFor('the fault', () => rig.faults.length > 0);
    rig.source.append('y');
    await rig.rest();
    expect(rig.faults).toEqual([new Error('disk')]);
  });

  it('loses nothing when bytes come in every possible moment of its work', async () => {
    const rig = new Rig({ ahead: 1e9, behind: 1e9, history: 0 });
    rig.stream.start(null);
    for (let i = 0; i < 500; i += 1) {
      rig.source.append(`${i},`);
      for (let turn = 0; turn < i % 7; turn += 1) await Promise.resolve();
    }
    await rig.rest();
    expect(rig.text).toBe(Array.from({ length: 500 }, (_, i) => `${i},`).join(''));
  });
});

describe('the start of a line', () => {
  it('is where one begins at or after the wanted place', async () => {
    const source = new GrowingStream();
    source.append('one\ntwo\nthree');
    source.start = 2;
    expect(await Promise.all([-5, 2, 4].map((at) => lineStart(source, at)))).toEqual([2, 2, 4]);
    source.start = 0;
    expect(await Promise.all([-5, 0, 1, 4, 5, 8, 9].map((at) => lineStart(source, at)))).toEqual([0, 0, 4, 4, 8, 8, 9]);
  });
});
