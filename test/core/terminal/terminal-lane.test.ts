// The terminal lane with a scripted PTY: drawing, snapshots, answers to queries, flow, conversation.
import headless from '@xterm/headless';
import { beforeEach, describe, expect, it } from 'vitest';
import { appError } from '../../../src-shared/errors.ts';
import { systemClock } from '../../../src-main/core/clock.ts';
import type { TerminalRequest } from '../../../src-main/core/sessions/port.ts';
import { compileWaitFor } from '../../../src-main/core/terminal/wait-for.ts';
import { PtyLane } from '../../../src-main/core/terminal/terminal-lane.ts';
import type { PtyDouble } from '../../support/pty-double.ts';
import { createPtyDouble } from '../../support/pty-double.ts';
import { waitFor } from '../../support/processes.ts';

const SIZE = { cols: 40, rows: 10 };
let ptys: PtyDouble[] = [];
let lane = makeLane();

function makeLane(): PtyLane {
  return new PtyLane({
    clock: systemClock,
    openShell: async () => {
      const pty = createPtyDouble();
      ptys.push(pty);
      return pty.channel;
    },
    onActivity: () => undefined,
  });
}

beforeEach(() => {
  ptys = [];
  lane = makeLane();
});

async function openPty(): Promise<PtyDouble> {
  await lane.ensureOpen(SIZE);
  const pty = ptys.at(-1);
  if (pty === undefined) throw new Error('no PTY was opened');
  return pty;
}

/** A PTY into which somebody has typed already, so that nobody waits for its greeting. */
async function openTyped(): Promise<PtyDouble> {
  const pty = await openPty();
  await lane.type(Buffer.alloc(0));
  return pty;
}

/** What a view shows that joins now: the snapshot, then the stream from its offset. */
async function lateView(during: () => void = () => undefined): Promise<string[]> {
  const snapshot = lane.snapshot();
  during();
  const { bytes, offset } = await snapshot;
  const rest = await lane.stream.read(offset, lane.stream.length - offset);
  const decoder = new TextDecoder();
  const terminal = new headless.Terminal({ ...SIZE, allowProposedApi: true });
  await new Promise<void>((done) => terminal.write(bytes.toString(), done));
  await new Promise<void>((done) => terminal.write(decoder.decode(rest), done));
  const buffer = terminal.buffer.active;
  return Array.from({ length: SIZE.rows }, (_, y) => buffer.getLine(buffer.baseY + y)?.translateToString(true) ?? '');
}

function request(extra: Partial<TerminalRequest> = {}): TerminalRequest {
  const signal = new AbortController().signal;
  return { input: '', keys: [], waitFor: null, waitMs: 10_000, signal, ...extra };
}

describe('terminal lane', () => {
  it.each([
    ['A—B', ['41e280', '9442']],
    ['A—B', ['41e2', '80', '9442']],
    ['A𐀀B', ['41f09080', '8042']],
    ['A🧑‍💻B', ['41f09fa791e280', '8df09f92bb42']],
    ['───', ['e29480', 'e29480e2', '9480']],
    ['A\ufffd(B', ['41c3', '28', '42']],
  ])(
    'FC47 shows %s whole when its bytes come in pieces, live and for a late view after each piece',
    async (line, hex) => {
      const pty = await openPty();
      for (const piece of hex) {
        pty.print(Buffer.from(piece, 'hex'));
        // A snapshot here must neither lose nor double the character that is cut.
        await lane.snapshot();
      }
      for (let pieces = 1; pieces <= hex.length; pieces += 1) {
        lane = makeLane();
        const other = await openPty();
        const print = (from: number, to?: number): void =>
          hex.slice(from, to).forEach((piece) => other.print(Buffer.from(piece, 'hex')));
        print(0, pieces);
        expect((await lateView(() => print(pieces)))[0]).toBe(line);
      }
    },
  );

  it('gives a late view the same screen when the snapshot falls into a control sequence', async () => {
    const pty = await openPty();
    pty.print('one\u001b[3');
    const lines = await lateView(() => pty.print('1mtwo\u001b[0m\u001b]0;ti'));
    pty.print('tle\u0007!');
    expect(lines[0]).toBe('onetwo');
    expect((await lateView())[0]).toBe('onetwo!');
  });

  it('FC49 answers each query once, into the host, and never for a snapshot or a late view', async () => {
    const pty = await openPty();
    for (const query of [
      '\u001b[6n',
      '\u001b[c',
      '\u001b[>c',
      '\u001b]10;?\u0007',
      '\u001b[18t',
      '\u0005',
      '\u001bP$qm\u001b\\',
    ])
      pty.print(query);
    await lane.snapshot();
    await lateView();
    await lateView();
    // Cursor report, primary and secondary attributes, DECRQSS; the other queries are not answered.
    expect(
      pty
        .typed()
        .split('\u001b')
        .slice(1)
        .map((answer) => `ESC${answer}`),
    ).toEqual(['ESC[1;1R', 'ESC[?1;2c', 'ESC[>0;276;0c', 'ESCP1$r0m', 'ESC\\']);
  });

  it('pauses the host when more than a megabyte waits to be drawn, and loses nothing', async () => {
    const pty = await openPty();
    const line = `${'x'.repeat(38)}\r\n`;
    for (let i = 0; i < 40; i += 1) pty.print(line.repeat(1000));
    expect(pty.paused).toBe(true);
    await waitFor('the host to go on', () => !pty.paused);
    expect(lane.stream.length).toBe(40 * 1000 * line.length);
    pty.print('last');
    expect((await lateView()).includes('last')).toBe(true);
  });

  it('opens one PTY for many callers, with the size asked for', async () => {
    await Promise.all([lane.ensureOpen(SIZE), lane.ensureOpen({ cols: 99, rows: 9 }), lane.ensureOpen(SIZE)]);
    expect(ptys).toHaveLength(1);
    expect([lane.open, lane.cols, lane.rows]).toEqual([true, 40, 10]);
  });

  it('tells the host and its views about a new size, once', async () => {
    const pty = await openPty();
    pty.sizes.length = 0;
    let told = 0;
    const stop = lane.onResize(() => (told += 1));
    lane.resize(100, 30);
    lane.resize(100, 30);
    stop();
    lane.resize(101, 30);
    expect({ sizes: pty.sizes, told }).toEqual({ sizes: ['100x30', '101x30'], told: 1 });
  });

  it('says that it has closed, and opens anew on a clean screen with the history kept', async () => {
    const pty = await openPty();
    pty.print('before\u001b[?1049h\u001b[?1hvim\u001b[3');
    pty.exit(0);
    expect([lane.open, lane.endedByHost]).toEqual([false, true]);
    await expect(lane.type(Buffer.from('x'))).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    const again = await openPty();
    again.print('again');
    const lines = await lateView();
    expect(lines.filter((line) => line !== '')).toContain('again');
    expect(lines[0]).toBe('before');
    again.exit(null);
    expect(lane.endedByHost).toBe(false);
    expect((await lane.stream.read(0, lane.stream.length)).toString().split('[terminal closed]')).toHaveLength(3);
  });

  it('tries again after an opening that failed', async () => {
    let fail = true;
    lane = new PtyLane({
      clock: systemClock,
      openShell: async () => {
        if (fail) throw appError('UNSUPPORTED');
        return createPtyDouble().channel;
      },
      onActivity: () => undefined,
    });
    await expect(lane.ensureOpen(SIZE)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    fail = false;
    await lane.ensureOpen(SIZE);
    expect(lane.open).toBe(true);
  });

  it('ends with its session, and opens no more', async () => {
    const pty = await openPty();
    lane.close();
    expect({ closed: pty.closed, ended: lane.stream.ended, open: lane.open }).toEqual({
      ...{ closed: true, ended: true, open: false },
    });
    await expect(lane.ensureOpen(SIZE)).rejects.toMatchObject({ code: 'SESSION_LOST' });
  });

  it('closes a PTY that opens after its session has closed', async () => {
    const opening = lane.ensureOpen(SIZE);
    lane.close();
    await opening;
    expect(ptys[0]?.closed).toBe(true);
  });
});

describe('a conversation', () => {
  it('waits for the greeting of a fresh terminal, types, and returns at the pattern', async () => {
    const talk = lane.converse(request({ input: 'show version\n', waitFor: compileWaitFor('sw1> $') }));
    await waitFor('the PTY', () => ptys.length === 1);
    const [pty] = ptys;
    if (pty === undefined) throw new Error('no PTY');
    pty.onTyped = (text) => pty.print(`${text.replace('\r', '\r\n')}Version 1.0\r\nsw1> `);
    pty.print('Welcome\r\nsw1> ');
    expect(await talk).toEqual({
      output: 'Welcome\nsw1> \nshow version\nVersion 1.0\nsw1> ',
      screen: 'Welcome\nsw1> show version\nVersion 1.0\nsw1> ',
      cursor: { row: 3, column: 5 },
      matched: true,
      ended: false,
      truncated: false,
    });
    expect(pty.typed()).toBe('show version\r');
  });

  it('begins with the greeting also where the terminal was opened before', async () => {
    const pty = await openPty();
    pty.print('Welcome\r\n$ ');
    pty.onTyped = () => pty.print('ls\r\n$ ');
    const answer = await lane.converse(request({ input: 'ls\n', waitFor: /\$ $/ }));
    expect(answer.output).toBe('Welcome\n$ \nls\n$ ');
    expect((await lane.converse(request({ input: 'ls\n', waitFor: /\$ $/ }))).output).toBe('ls\n$ ');
  });

  it('returns after half a second of quiet, with only what is new, rendered', async () => {
    const pty = await openTyped();
    pty.print('old prompt$ ');
    pty.onTyped = () =>
      pty.print('ls\r\n \u001b[31mred\u001b[0m\r\n10%\r50%\r100%\r\nx\by\r\n --More-- \r          \rend');
    const answer = await lane.converse(request({ input: 'ls\n' }));
    expect(answer.output).toBe('ls\n red\n100%\ny\nend');
    expect(answer.matched).toBeNull();
    expect(answer.screen.startsWith('old prompt$ ls\n red\n')).toBe(true);
  });

  it('says that the pattern was not seen when the time is over', async () => {
    const pty = await openTyped();
    pty.onTyped = () => pty.print('nothing of the kind');
    const answer = await lane.converse(request({ input: 'x', waitFor: compileWaitFor('never'), waitMs: 300 }));
    expect(answer).toMatchObject({ output: 'nothing of the kind', matched: false });
  });

  it('returns when the terminal ends, or when the caller gives up', async () => {
    const pty = await openTyped();
    pty.onTyped = () => {
      pty.print('logout\r\n');
      pty.exit(0);
    };
    expect(await lane.converse(request({ input: 'exit\n', waitFor: compileWaitFor('never') }))).toMatchObject({
      ...{ output: 'logout', matched: false, ended: true },
    });
    await openTyped();
    const giveUp = new AbortController();
    const talk = lane.converse(request({ waitFor: compileWaitFor('never'), signal: giveUp.signal }));
    setImmediate(() => giveUp.abort());
    expect(await talk).toMatchObject({ matched: false, ended: false });
    await expect(lane.converse(request({ signal: giveUp.signal }))).rejects.toThrow('aborted');
  });

  it('refuses a pattern that is too slow on what came, and the next call works', async () => {
    const pty = await openTyped();
    pty.onTyped = (text) => pty.print(text === 'go' ? `${'a'.repeat(3000)}b` : 'fine');
    await expect(lane.converse(request({ input: 'go', waitFor: compileWaitFor('(a+)+$') }))).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      details: { reason: 'pattern_too_slow' },
    });
    expect((await lane.converse(request({ input: 'x', waitFor: compileWaitFor('fine') }))).matched).toBe(true);
  });

  it('is one at a time: each caller gets the answer to what it typed', async () => {
    const pty = await openTyped();
    pty.onTyped = (text) => pty.print(`[${text}]`);
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((input) => lane.converse(request({ input, waitFor: compileWaitFor('\\]') }))),
    );
    expect(answers.map(({ output }) => output)).toEqual(['[a]', '[b]', '[c]']);
  });

  it('presses keys as the program wants them', async () => {
    const pty = await openTyped();
    pty.print('\u001b[?1h');
    await lane.snapshot();
    await lane.converse(request({ input: 'x', keys: ['up', 'enter', 'ctrl-c'], waitMs: 100 }));
    expect(pty.typed()).toBe('x\u001bOA\r\u0003');
  });

  it('gives the end of a flood and says that it is only the end', async () => {
    const pty = await openTyped();
    pty.onTyped = () => {
      for (let i = 0; i < 20_000; i += 1) pty.print(`line ${i}\r\n`);
      pty.print('done');
    };
    const answer = await lane.converse(request({ input: 'x' }));
    expect(answer.truncated).toBe(true);
    expect(answer.output.length).toBe(30_000);
    expect(answer.output.endsWith('line 19999\ndone')).toBe(true);
  });
});
