import { describe, expect, it } from 'vitest';
import { encodeMark } from '../../../src-shared/protocol/index.ts';
import { Blocks } from '../../../src-renderer/terminal/blocks.ts';
import { BlockSpacing } from '../../../src-renderer/terminal/spacing.ts';

interface Marker {
  line: number;
  isDisposed: boolean;
}

function tracked(marks: readonly (readonly ['start' | 'output' | 'end', string, number])[]) {
  const blocks = new Blocks();
  const markers: Marker[] = [];
  for (const [kind, commandId, line] of marks) {
    blocks.mark({ kind, commandId }, () => {
      const marker = { line, isDisposed: false };
      markers.push(marker);
      return marker;
    });
  }
  return { blocks, markers };
}

describe('blocks of a transcript', () => {
  it('knows header, output and end of each command', () => {
    const { blocks } = tracked([
      ['start', 'a', 1],
      ['output', 'a', 3],
      ['end', 'a', 5],
      ['start', 'b', 6],
      ['output', 'b', 7],
    ]);
    expect(blocks.between(0, 100, 9)).toEqual([
      { commandId: 'a', first: 1, headerLines: 2, last: 4, open: false },
      { commandId: 'b', first: 6, headerLines: 1, last: 9, open: true },
    ]);
    expect([blocks.count, blocks.firstLines(), blocks.lineOf('b'), blocks.lineOf('x')]).toEqual([
      2,
      [1, 6],
      6,
      undefined,
    ]);
  });

  it('closes a block whose end was left out when the next one starts', () => {
    const { blocks } = tracked([
      ['start', 'a', 1],
      ['start', 'b', 4],
    ]);
    expect(blocks.between(0, 9, 9).map(({ commandId, last }) => [commandId, last])).toEqual([
      ['a', 3],
      ['b', 9],
    ]);
  });

  it('ignores marks of a command whose start was left out', () => {
    const { blocks } = tracked([
      ['output', 'a', 1],
      ['end', 'a', 4],
    ]);
    expect(blocks.between(0, 9, 9)).toEqual([]);
  });

  it('lets a block begin at the top when its header was trimmed away, and forgets it with its end', () => {
    const { blocks, markers } = tracked([
      ['start', 'a', 1],
      ['output', 'a', 2],
      ['end', 'a', 50],
    ]);
    const [start, output, end] = markers;
    if (start === undefined || output === undefined || end === undefined) throw new Error('three markers expected');
    Object.assign(start, { isDisposed: true, line: -1 });
    Object.assign(output, { isDisposed: true, line: -1 });
    end.line = 30;
    expect(blocks.between(0, 9, 60)).toEqual([{ commandId: 'a', first: 0, headerLines: 0, last: 29, open: false }]);
    end.isDisposed = true;
    expect(blocks.between(0, 9, 60)).toEqual([]);
  });
});

describe('spacing between blocks', () => {
  const start = encodeMark('word', { kind: 'start', commandId: 'c-aaaaaaaaaaaa' });
  const end = encodeMark('word', { kind: 'end', commandId: 'c-aaaaaaaaaaaa' });

  it('puts one empty row before each start mark, wherever the stream is cut', () => {
    const text = `out\u001b[0m${end}${start}header\n\u001b[31mred\u001b[0m`;
    for (let at = 0; at <= text.length; at += 1) {
      const spacing = new BlockSpacing();
      spacing.use('word');
      const drawn = spacing.pass(text.slice(0, at)) + spacing.pass(text.slice(at));
      expect(drawn).toBe(text.replace(start, `\n${start}`));
    }
  });

  it('leaves marks alone whose word is not ours', () => {
    const spacing = new BlockSpacing();
    spacing.use('other');
    expect(spacing.pass(`x${start}y`)).toBe(`x${start}y`);
  });
});
