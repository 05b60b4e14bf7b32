// Cutting lines out of pieces, and reading of a line what the bridge has to know.
import v8 from 'node:v8';
import vm from 'node:vm';
import { describe, expect, it } from 'vitest';
import { LineCutter } from '../../src-main/bridge/lines.ts';
import { idOfLongLine, readMessage } from '../../src-main/bridge/message.ts';

function cut(pieces: readonly (string | Buffer)[], limit?: number) {
  const seen: (string | readonly [number, string, string])[] = [];
  const target = {
    line: (bytes: Buffer) => void seen.push(bytes.toString()),
    tooLong: (bytes: number, head: Buffer, tail: Buffer) =>
      void seen.push([bytes, head.toString().slice(0, 4), tail.toString().slice(-4)]),
  };
  const cutter = new LineCutter(target, limit);
  for (const piece of pieces) cutter.push(Buffer.from(piece));
  return seen;
}

describe('LineCutter', () => {
  const text = '{"a":"ä€😀"}\r\n\n{"b":2}\n{"c":';

  it('gives the same lines wherever the pieces are cut', () => {
    const bytes = Buffer.from(text);
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(cut([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(['{"a":"ä€😀"}', '{"b":2}']);
    }
    expect(cut([...bytes].map((byte) => Buffer.from([byte])))).toEqual(['{"a":"ä€😀"}', '{"b":2}']);
  });

  it('passes a line of exactly the limit and reports a longer one with its length, begin and end', () => {
    expect(cut(['x'.repeat(3_000), '\n'], 3_000)).toEqual(['x'.repeat(3_000)]);
    expect(cut([`head${'x'.repeat(5_000)}`, 'y'.repeat(9_000), 'tail\nnext\n'], 3_000)).toEqual([
      [14_008, 'head', 'tail'],
      'next',
    ]);
  });

  it('holds no more than the limit of a line that never ends', () => {
    const before = process.memoryUsage().arrayBuffers;
    const cutter = new LineCutter({ line: () => undefined, tooLong: () => undefined }, 1_000_000);
    for (let piece = 0; piece < 1_000; piece += 1) cutter.push(Buffer.alloc(100_000, 'x'));
    collectGarbage();
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(60_000_000);
  });
});

/** Without it, memory that is free already may be counted. */
function collectGarbage(): void {
  v8.setFlagsFromString('--expose-gc');
  vm.runInNewContext('gc()');
}

describe('readMessage', () => {
  it.each([
    [
      '{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":1}}',
      { kind: 'request', id: 1, method: 'a', params: { x: 1 } },
    ],
    ['{"jsonrpc":"2.0","id":"q","method":"a"}', { kind: 'request', id: 'q', method: 'a', params: {} }],
    ['{"jsonrpc":"2.0","method":"n"}', { kind: 'notification', method: 'n', params: {} }],
    ['{"jsonrpc":"2.0","id":3,"result":{}}', { kind: 'answer', id: 3, failed: false }],
    ['{"jsonrpc":"2.0","id":3,"error":{"code":1,"message":"m"}}', { kind: 'answer', id: 3, failed: true }],
    ['{"jsonrpc":"1.0","id":3,"method":"a"}', { kind: 'invalid', isJson: true, id: 3 }],
    ['{"jsonrpc":"2.0","id":null,"method":"a"}', { kind: 'invalid', isJson: true, id: null }],
    ['{"jsonrpc":"2.0","id":3}', { kind: 'invalid', isJson: true, id: 3 }],
    ['[]', { kind: 'invalid', isJson: true, id: null }],
    ['7', { kind: 'invalid', isJson: true, id: null }],
    ['hello', { kind: 'invalid', isJson: false, id: null }],
  ])('%s', (line, expected) => {
    expect(readMessage(Buffer.from(line))).toEqual(expected);
  });
});

describe('idOfLongLine', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":5,"method":"tools/call"', '"}}}', 5],
    ['{ "id" : "a-1", "method"', 'x"}', 'a-1'],
    ['{"method":"tools/call","params":{"id":9', '"},"jsonrpc":"2.0","id":5}', 5],
    ['{"method":"tools/call"', '"},"id":"b","jsonrpc":"2.0"}\r', 'b'],
    ['{"method":"tools/call","params":{"a":1', '"x":2,"id":5}}', null],
    ['nonsense', 'nonsense', null],
  ])('of %s ... %s', (head, tail, expected) => {
    expect(idOfLongLine(Buffer.from(head), Buffer.from(tail))).toBe(expected);
  });
});
