// Inline output: exact while it fits, head and tail when it does not, never more than a result may hold.
import { describe, expect, it } from 'vitest';
import type { ByteStream } from '../../../src-main/core/sessions/port.ts';
import { cleanForModel, inlineOutput } from '../../../src-main/core/lanes/inline.ts';
import { cutEnd, cutStart, jsonWeight } from '../../../src-main/core/lanes/json-weight.ts';

const streamOf = (bytes: Buffer | string, ended = true): ByteStream => {
  const all = Buffer.from(bytes);
  return {
    length: all.length,
    ended,
    read: (offset, limit) => Promise.resolve(Buffer.from(all.subarray(offset, offset + limit))),
    onChange: () => () => undefined,
  };
};

const inline = (stdout: Buffer | string, stderr: Buffer | string = '', maxChars = 30_000) =>
  inlineOutput({ stdout: streamOf(stdout), stderr: streamOf(stderr), maxChars });

describe('inlineOutput', () => {
  it('gives short output as it is', async () => {
    expect(await inline('out\r\nüber 😀\tx\n', 'err')).toEqual({
      ...{ stdout: 'out\r\nüber 😀\tx\n', stderr: 'err', stdoutBytes: 18, stderrBytes: 3 },
      ...{ truncated: false, lossy: false },
    });
  });

  it('FC25 gives head and tail of long output, the exact size and where to go on', async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index}`).join('\n');
    const got = await inline(lines);
    expect(got).toMatchObject({ truncated: true, lossy: false, stdoutBytes: lines.length });
    const mark = /\n\[… (\d+) bytes left out: ssh_command_output, stream stdout, offset (\d+) …\]\n/.exec(got.stdout);
    const [head = '', tail = ''] = got.stdout.split(mark?.[0] ?? 'no mark');
    expect(lines.startsWith(head) && lines.endsWith(tail)).toBe(true);
    expect(Number(mark?.[2])).toBe(head.length);
    expect(Number(mark?.[1])).toBe(lines.length - head.length - tail.length);
    expect(got.stdout.length).toBeGreaterThan(25_000);
  });

  it.each([
    ['quotes', '"'],
    ['back-slashes', '\\'],
    ['newlines', '\n'],
    ['tabs', '\t'],
    ['letters', 'x'],
    ['emoji', '😀'],
    ['Chinese', '漢'],
  ])('stays under 34,000 characters as JSON with nothing but %s', async (_, character) => {
    const all = character.repeat(300_000);
    const { stdout, stderr, truncated } = await inline(all, all);
    expect(truncated).toBe(true);
    expect(stdout.length + stderr.length).toBeLessThanOrEqual(30_000);
    expect(JSON.stringify(stdout).length + JSON.stringify(stderr).length).toBeLessThan(34_000);
    expect(Buffer.from(stdout + stderr).toString()).toBe(stdout + stderr);
    expect(stdout + stderr).not.toContain('\uFFFD');
  });

  it('gives a long stream the room that a short one leaves', async () => {
    const { stdout, stderr } = await inline('o'.repeat(100_000), 'short');
    expect(stderr).toBe('short');
    expect(stdout.length).toBeGreaterThan(29_500);
    const other = await inline('short', 'e'.repeat(100_000));
    expect(other.stdout).toBe('short');
    expect(other.stderr.length).toBeGreaterThan(29_500);
  });

  it('FC24 replaces bytes that are not text and says so', async () => {
    const got = await inline(Buffer.from('636166e920fffe20656e640a', 'hex'));
    expect(got).toMatchObject({ lossy: true, truncated: false, stdoutBytes: 12 });
    expect(got.stdout).toMatch(/^caf\uFFFD .* end\n$/);
    expect((await inline('a\0b\n')).stdout).toBe('a\uFFFDb\n');
  });

  it('FC24 states the size of binary output in place of rubbish', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7919 + (index >> 3) * 31) & 255));
    const got = await inline(bytes);
    expect(got).toMatchObject({ truncated: true, lossy: true, stdoutBytes: 300_000 });
    expect(got.stdout).toContain('binary data, 300000 bytes');
  });

  it('FC24 shows a progress line once', async () => {
    const progress = Array.from({ length: 21 }, (_, index) => `\rprogress ${index * 5}%`).join('');
    expect(await inline(`${progress}\n`)).toMatchObject({ stdout: 'progress 100%\n', lossy: true, truncated: false });
  });

  it('leaves a character whose rest has not come yet to the next call', async () => {
    const stdout = streamOf(Buffer.from([0x61, 0xe2, 0x82]), false);
    expect(await inlineOutput({ stdout, stderr: streamOf(''), maxChars: 100 })).toMatchObject({
      stdout: 'a',
      lossy: false,
    });
  });
});

describe('cleanForModel', () => {
  it.each([
    ['\u001b[31mred\u001b[0m', 'red'],
    ['\u001b]0;title\u0007plain', 'plain'],
    ['\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['\u001bPq#0\u001b\\after', 'after'],
    ['\u001b(Bx\u001b=y', 'xy'],
    ['cut off \u001b[3', 'cut off '],
    ['cut off \u001b', 'cut off '],
    ['N\bNA\bA', 'NA'],
    ['evil\u202egnp.exe', 'evilgnp.exe'],
    ['zero\u200bwidth\u{e0041}', 'zerowidth'],
    ['a\rb\rc\r\n', 'c\r\n'],
    ['bell\u0007', 'bell'],
  ])('cleans %j', (given, wanted) => {
    expect(cleanForModel(Buffer.from(given))).toEqual({ text: wanted, lossy: true });
  });

  it.each(['plain', 'tab\tand\nline', 'crlf\r\n', 'é ü 漢字', '👩‍👩‍👧 family', '\uFFFD given as such'])(
    'leaves %j alone',
    (text) => {
      expect(cleanForModel(Buffer.from(text))).toEqual({ text, lossy: false });
    },
  );
});

describe('cuts', () => {
  it('never split a character', () => {
    expect(cutStart('a😀b', 2)).toBe('a');
    expect(cutStart('a😀b', 3)).toBe('a😀');
    expect(cutEnd('a😀b', 2)).toBe('b');
    expect(cutEnd('a😀b', 3)).toBe('😀b');
  });

  it('weigh what JSON makes longer', () => {
    expect(jsonWeight('abc')).toBe(3);
    expect(jsonWeight('"\\\n') * 1.1).toBeCloseTo(6);
  });
});
