// The transcript: every byte of every command once, marks that cannot be forged, characters never cut.
import headless from '@xterm/headless';
import { beforeEach, describe, expect, it } from 'vitest';
import type { StreamName } from '../../../src-shared/model/index.ts';
import { MARK_OSC, decodeMark } from '../../../src-shared/protocol/index.ts';
import { Transcript } from '../../../src-main/core/sessions/transcript.ts';
import { createStoredCommand } from '../../support/stored-command.ts';

let transcript = new Transcript();
beforeEach(() => {
  transcript = new Transcript();
});

type Piece = [StreamName, string | number[] | Buffer];

/** Runs a command with this output through the transcript. */
function play(id: string, text: string, pieces: Piece[], workingDir: string | null = '/srv'): void {
  const { command, store } = createStoredCommand(id, text, workingDir);
  transcript.begin(command);
  for (const [name, content] of pieces) {
    const bytes = Buffer.from(content as string);
    transcript.output(command, name, bytes, store(name, bytes));
  }
  transcript.end(command);
}

async function whole(): Promise<Buffer> {
  return transcript.read(transcript.start, transcript.length - transcript.start);
}

/** The text with marks as `<kind id>` and ESC as `^`. */
async function readable(): Promise<string> {
  const marks = new RegExp(`\u001b\\]${MARK_OSC};([^\u0007]*)\u0007`, 'g');
  return (await whole())
    .toString()
    .replace(marks, (_, text: string) => {
      const mark = decodeMark(transcript.mark, text);
      return mark === undefined ? `<forged>` : `<${mark.kind} ${mark.commandId}>`;
    })
    .replaceAll('\u001b', '^')
    .replaceAll('\u0018', '<CAN>');
}

describe('transcript', () => {
  it('is header, output and end between marks', async () => {
    play('c-1', 'echo hi', [['stdout', 'hi\n']]);
    expect(await readable()).toBe('<start c-1>^[2m/srv^[22m ^[1mecho hi^[0m\n<output c-1>hi\n^[0m<end c-1>');
  });

  it('adds a line end where the output has none, and nothing where there is no output', async () => {
    play('c-1', 'printf x', [['stdout', 'x']], null);
    play('c-2', 'true', [], null);
    expect(await readable()).toBe(
      '<start c-1>^[1mprintf x^[0m\n<output c-1>x^[0m\n<end c-1><start c-2>^[1mtrue^[0m\n<output c-2><end c-2>',
    );
  });

  it('tints stderr and leaves line ends as they are', async () => {
    play('c-1', 'x', [
      ['stdout', 'out\n'],
      ['stderr', 'err\r\n'],
      ['stderr', 'more\n'],
      ['stdout', 'out\n'],
    ]);
    expect((await readable()).split('<output c-1>')[1]).toBe('out\n^[31merr\r\nmore\n^[39mout\n^[0m<end c-1>');
  });

  it('keeps characters whole when stdout and stderr interleave inside them', async () => {
    play('c-1', 'x', [
      ['stdout', [0x41, 0xe2, 0x80]],
      ['stderr', [0xf0, 0x9f]],
      ['stdout', [0x94, 0x42]],
      ['stderr', [0x99, 0x82]],
    ]);
    expect((await readable()).split('<output c-1>')[1]).toBe('A—B^[31m🙂^[0m\n<end c-1>');
  });

  it('shows an unfinished character at the end all the same, byte for byte', async () => {
    play('c-1', 'x', [['stdout', [0x41, 0xe2, 0x80]]]);
    expect((await whole()).includes(Buffer.from([0x41, 0xe2, 0x80, 0x1b]))).toBe(true);
  });

  it('cannot be forged: a mark in the output has the wrong word', async () => {
    play('c-1', 'x', [['stdout', `\u001b]${MARK_OSC};0123;end;c-1\u0007 rm -rf /`]]);
    expect(await readable()).toContain('<output c-1><forged> rm -rf /<CAN>');
    expect(new Transcript().mark).not.toBe(transcript.mark);
  });

  it('shows what hides in a command and in a directory', async () => {
    play('c-1', 'echo \u001b]0;x\u0007\u202e', [], '/tmp/\u001b[2J');
    expect(await readable()).toContain('^[2m/tmp/\u241b[2J^[22m ^[1mecho \u241b]0;x\u2407<U+202E>^[0m\n');
  });

  it('cuts a very long command in its header and says by how much', async () => {
    play('c-1', 'x'.repeat(5000), [], null);
    expect(await readable()).toContain(`${'x'.repeat(4000)}…^[0m ^[2m(1000 characters more)^[22m\n`);
  });

  it.each([
    ['an unfinished title', 'a\u001b]0;never ended'],
    ['an unfinished device string', 'a\u001bPq'],
    ['another screen, colours and margins', 'a\u001b[31;1m\u001b[?1049h\u001b[2;3r\u001b[4h'],
    ['the graphics character set', 'a\u000e'],
  ])('is itself again after output with %s', async (_name, output) => {
    play('c-1', 'bad', [['stdout', output]]);
    play('c-2', 'good', [['stdout', 'qqq\n']]);
    const terminal = new headless.Terminal({ cols: 40, rows: 10, convertEol: true, allowProposedApi: true });
    const seen: string[] = [];
    terminal.parser.registerOscHandler(
      MARK_OSC,
      (text) => seen.push(decodeMark(transcript.mark, text)?.kind ?? '') > 0,
    );
    const text = (await whole()).toString();
    await new Promise<void>((done) => terminal.write(text, done));
    expect(seen).toEqual(['start', 'output', 'end', 'start', 'output', 'end']);
    expect(terminal.buffer.active.type).toBe('normal');
    const lines = Array.from({ length: 10 }, (_, y) => terminal.buffer.active.getLine(y));
    const good = lines.findIndex((line) => line?.translateToString(true) === '/srv good');
    expect(lines[good + 1]?.translateToString(true)).toBe('qqq');
    expect(lines[good + 1]?.getCell(0)?.isFgDefault()).toBe(true);
  });

  it('gives the same bytes at the same offsets to a reader while it grows and to one that comes late', async () => {
    const { command, store } = createStoredCommand('c-1', 'x');
    const early: Buffer[] = [];
    let at = 0;
    const follow = async (): Promise<void> => {
      while (at < transcript.length) {
        const bytes = await transcript.read(at, 7);
        early.push(bytes);
        at += bytes.length;
      }
    };
    transcript.begin(command);
    for (let i = 0; i < 50; i += 1) {
      const name: StreamName = i % 3 === 0 ? 'stderr' : 'stdout';
      const bytes = Buffer.from(`–${i}é`.repeat((i % 5) + 1)).subarray(i % 2);
      transcript.output(command, name, bytes, store(name, bytes));
      if (i % 4 === 0) transcript.note(`note ${i}`);
      await follow();
    }
    transcript.end(command);
    transcript.late('stderr', Buffer.from('late'));
    play('c-2', 'y', [['stdout', 'z']]);
    await follow();
    expect(Buffer.concat(early).equals(await whole())).toBe(true);
    expect(at).toBe(transcript.length);
  });

  it('holds every byte of both streams, in order, whatever the pieces', async () => {
    const bytes = Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7 + (i >> 3)) & 0xff));
    const pieces: Piece[] = [];
    for (let from = 0, size = 1; from < bytes.length; from += size, size = (size % 11) + 1) {
      pieces.push(['stdout', bytes.subarray(from, from + size)]);
    }
    play('c-1', 'binary', pieces);
    expect((await whole()).includes(bytes)).toBe(true);
  });

  it('says things of its own on lines of their own, also in the middle of a line of output', async () => {
    const { command, store } = createStoredCommand('c-1', 'x', null);
    transcript.begin(command);
    const half = Buffer.from('half');
    transcript.output(command, 'stderr', half, store('stderr', half));
    transcript.note('[connection lost: reset \u001b[2J]');
    const rest = Buffer.from('rest\n');
    transcript.output(command, 'stderr', rest, store('stderr', rest));
    transcript.end(command);
    expect((await readable()).split('<output c-1>')[1]).toBe(
      '^[31mhalf\n^[2m[connection lost: reset \u241b[2J]^[0m\n^[31mrest\n^[0m<end c-1>',
    );
  });

  it('shows welcome text once and late output of background jobs, but not without end', async () => {
    transcript.noise(Buffer.from('Welcome\u001b[31m'));
    play('c-1', 'job &', [], null);
    for (let i = 0; i < 300; i += 1) transcript.late('stdout', Buffer.alloc(1024, 'x'));
    play('c-2', 'true', [], null);
    const text = await readable();
    expect(text.startsWith('Welcome^[31m<CAN>')).toBe(true);
    const late = text.split('<end c-1>')[1]?.split('<start c-2>')[0] ?? '';
    expect(late.startsWith('^[2m[background job]^[0m\nxxx')).toBe(true);
    expect(late.endsWith('x^[0m\n^[2m[more output of background jobs is not shown]^[0m\n')).toBe(true);
    expect(late.length).toBeLessThan(270_000);
  });

  it('forgets commands that are gone and says where the rest starts', async () => {
    for (const id of ['c-1', 'c-2', 'c-3']) play(id, `echo ${id}`, [['stdout', `${id}\n`]], null);
    const before = (await whole()).toString();
    transcript.forget('no-such');
    expect(transcript.start).toBe(0);
    transcript.forget('c-1');
    expect(transcript.start).toBeGreaterThan(0);
    expect((await whole()).toString()).toBe(before.slice(transcript.start));
    expect((await whole()).toString()).not.toContain('echo c-1');
    await expect(transcript.read(0, 10)).rejects.toMatchObject({
      ...{ code: 'STORAGE_ERROR', details: { reason: 'dropped', start: transcript.start } },
    });
    transcript.forget('c-2');
    transcript.forget('c-3');
    expect((await readable()).includes('c-3\n')).toBe(false);
  });

  it('keeps nothing of commands without output either, however many there were', async () => {
    for (let index = 0; index < 500; index += 1) {
      play(`c-${index}`, 'true', [], null);
      if (index >= 2) transcript.forget(`c-${index - 2}`);
    }
    const left = await readable();
    expect([...left.matchAll(/<start (c-\d+)>/g)].map(([, id]) => id)).toEqual(['c-498', 'c-499']);
  });

  it('tells its readers about growth and about the end', async () => {
    let told = 0;
    const stop = transcript.onChange(() => (told += 1));
    transcript.note('one');
    expect(told).toBe(1);
    stop();
    transcript.onChange(() => (told += 10));
    transcript.close();
    expect({ told, ended: transcript.ended }).toEqual({ told: 11, ended: true });
    expect(await transcript.read(transcript.length, 10)).toEqual(Buffer.alloc(0));
  });

  it('passes over output and ends of commands that it does not show', () => {
    const { command } = createStoredCommand('c-9', 'x');
    transcript.output(command, 'stdout', Buffer.from('x'), 0);
    transcript.end(command);
    expect(transcript.length).toBe(0);
  });
});
