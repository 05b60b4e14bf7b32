// The bounded stream keeps the last bytes under their absolute offsets.
import { describe, expect, it } from 'vitest';
import { TailStream } from '../../../src-main/core/terminal/tail-stream.ts';

/** Bytes that tell their own offset. */
function bytesAt(offset: number, length: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, index) => ((offset + index) * 31 + ((offset + index) >> 8)) & 0xff));
}

describe('tail stream', () => {
  it('gives what was appended at any offset, whatever the sizes of the pieces', async () => {
    const stream = new TailStream(1024 * 1024);
    const sizes = [1, 65_535, 3, 70_000, 1, 200_000, 65_536, 7];
    for (const size of sizes) stream.append(bytesAt(stream.length, size));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect([stream.start, stream.length]).toEqual([0, total]);
    for (const [offset, limit] of [
      [0, 10],
      [65_530, 20],
      [131_000, 200_000],
      [0, total + 5],
      [total - 1, 10],
      [total, 10],
    ] as const) {
      const wanted = bytesAt(offset, Math.max(0, Math.min(limit, total - offset)));
      expect((await stream.read(offset, limit)).equals(wanted)).toBe(true);
    }
  });

  it('drops the oldest bytes, says where the rest starts, and refuses to read before', async () => {
    const stream = new TailStream(128 * 1024);
    for (let i = 0; i < 40; i += 1) stream.append(bytesAt(stream.length, 10_000));
    expect(stream.length).toBe(400_000);
    expect(stream.start).toBeGreaterThan(0);
    expect(stream.length - stream.start).toBeGreaterThanOrEqual(128 * 1024);
    const { start } = stream;
    expect((await stream.read(start, 1000)).equals(bytesAt(start, 1000))).toBe(true);
    await expect(stream.read(start - 1, 10)).rejects.toMatchObject({
      code: 'STORAGE_ERROR',
      details: { reason: 'dropped', start },
    });
  });

  it('gives copies: later output does not change what was read', async () => {
    const stream = new TailStream(64 * 1024);
    stream.append(Buffer.from('abc'));
    const read = await stream.read(0, 3);
    for (let i = 0; i < 20; i += 1) stream.append(Buffer.alloc(20_000, 'x'));
    expect(read.toString()).toBe('abc');
  });

  it('tells its readers about bytes and about the end, once', () => {
    const stream = new TailStream(1000);
    let told = 0;
    const stop = stream.onChange(() => (told += 1));
    stream.append(Buffer.alloc(0));
    stream.append(Buffer.from('x'));
    expect(told).toBe(1);
    stop();
    stream.append(Buffer.from('y'));
    stream.onChange(() => (told += 10));
    stream.end();
    stream.end();
    expect({ told, ended: stream.ended }).toEqual({ told: 11, ended: true });
  });
});
