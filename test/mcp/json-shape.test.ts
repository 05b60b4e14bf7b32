// Checks that the shape of JSON text is told without parsing it, whatever its strings hold.
import { describe, expect, it } from 'vitest';
import { MAX_DEPTH, MAX_PARTS, shapeFault } from '../../src-main/mcp/json-shape.ts';

const faultOf = (text: string): string | undefined => shapeFault(Buffer.from(text));

describe('the shape of JSON text', () => {
  it('is told apart at the limits', () => {
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    expect(faultOf(nested(MAX_DEPTH))).toBeUndefined();
    expect(faultOf(nested(MAX_DEPTH + 1))).toBe(`is nested deeper than ${MAX_DEPTH} levels`);
    const list = (commas: number): string => `[${'1,'.repeat(commas)}1]`;
    expect(faultOf(list(MAX_PARTS))).toBeUndefined();
    expect(faultOf(list(MAX_PARTS + 1))).toBe(`has more than ${MAX_PARTS} parts`);
  });

  it('does not count what stands in strings, also behind escaped quotes and back-slashes', () => {
    const inside = '[{:,"\\'.repeat(MAX_PARTS);
    expect(faultOf(JSON.stringify({ stdin: inside, [inside]: inside }))).toBeUndefined();
    expect(faultOf(JSON.stringify(['\\', '"', '\\"', inside]))).toBeUndefined();
    expect(faultOf(`${JSON.stringify('\\')}${'['.repeat(MAX_DEPTH + 1)}`)).toContain('nested');
  });

  it.each(['', '"', '"\\', '"open [[[', ']]]]', '{"a":'])(
    'of text that is no JSON is for the parser to judge: %j',
    (text) => {
      expect(faultOf(text)).toBeUndefined();
    },
  );
});
