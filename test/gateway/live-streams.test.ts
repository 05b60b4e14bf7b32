// What views get to see of real sessions: all of it, once, in order, at their own pace, and never an answer of their own.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../src-main/core/sessions/port.ts';
import { assistant, person } from '../support/core.ts';
import { startTestGateway } from '../support/gateway.ts';
import type { TestGateway } from '../support/gateway.ts';
import { waitFor } from '../support/processes.ts';
import { startSshd } from '../support/sshd.ts';
import type { TestSshd } from '../support/sshd.ts';
import type { DrawnStream, ViewClient } from '../support/view-client.ts';

const MIB = 1024 * 1024;

let sshd: TestSshd;
let rig: TestGateway;
let session: Session;
const opened: ViewClient[] = [];

beforeAll(async () => {
  sshd = await startSshd();
  rig = await startTestGateway({ settings: { HOST_KEY_POLICY: 'accept-new' } });
  session = await rig.connect('web-1', sshd);
});
afterEach(async () => {
  for (const view of opened.splice(0)) await view.close();
  // A test that failed while driving must not hold up the next one.
  session.lease.handBack(person, '');
});
afterAll(async () => {
  await rig.close();
  await sshd.stop();
});

async function view(role: 'viewer' | 'operator' = 'viewer'): Promise<ViewClient> {
  const one = await rig.view(role);
  opened.push(one);
  return one;
}

const run = (command: string) => session.run({ command, timeoutMs: 60_000 }, assistant);

async function transcript(): Promise<string> {
  const bytes = await session.transcript.read(0, session.transcript.length);
  return bytes.toString('latin1');
}

const drawn = (stream: DrawnStream) =>
  waitFor('all to be drawn', () => stream.end === session.transcript.length, 20_000);

/** Opens the terminal of the session and types as the person who drives it. */
async function type(text: string): Promise<void> {
  session.lease.take(person);
  await session.terminal.ensureOpen({ cols: 80, rows: 24 });
  await session.terminal.type(Buffer.from(text));
}

describe('the transcript', () => {
  it('is the same for a view from the start, one in the middle of a command, and one that comes late', async () => {
    const early = await (await view()).draw({ session: 'web-1', lane: 'commands' });
    const command = run('for i in $(seq 1 3000); do echo "line $i of many"; echo "error $i" >&2; done');
    await waitFor('some output', () => early.bytes > 5000);
    const middle = await (await view()).draw({ session: 'web-1', lane: 'commands' });
    await command.ended;
    await drawn(early);
    const late = await (await view()).draw({ session: 'web-1', lane: 'commands' });
    await Promise.all([drawn(middle), drawn(late)]);
    const whole = await transcript();
    expect(early.text).toBe(whole);
    expect(middle.text).toBe(whole);
    expect(late.text).toBe(whole);
    expect(whole).toContain('line 3000 of many');
    expect([early.skips, middle.skips, late.skips]).toEqual([[], [], []]);
  });

  it('goes on where a view was when its line broke: nothing is lost and nothing comes twice', async () => {
    const first = await view();
    const before = await first.draw({ session: 'web-1', lane: 'commands' });
    await drawn(before);
    await first.close();
    await run('echo while the line was down').ended;
    const after = await (await view()).draw({ session: 'web-1', lane: 'commands', fromOffset: before.end });
    await drawn(after);
    expect(before.text + after.text).toBe(await transcript());
  });
});

describe('FC48 a flood of output', () => {
  it('FC48 a view that sleeps slows neither the command nor another view, and is told what it missed', async () => {
    const [sleeping, awake] = [await view(), await view()];
    const asleep = await sleeping.draw(
      { session: 'web-1', lane: 'commands', fromOffset: session.transcript.length },
      false,
    );
    const watching = await awake.draw({ session: 'web-1', lane: 'commands', fromOffset: session.transcript.length });
    const from = watching.end;
    const command = run('yes "a line of a flood" | head -c 40000000');
    await command.ended;
    expect(command.view()).toMatchObject({ status: 'exited', exitCode: 0, stdoutBytes: 40_000_000 });
    await drawn(watching);
    const missed = watching.skips.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(watching.bytes + missed).toBe(session.transcript.length - from);
    expect(asleep.bytes).toBeLessThanOrEqual(MIB);
    expect(asleep.bytes).toBeGreaterThan(0);
    asleep.acks = true;
    await sleeping.call('stream.ack', { streamId: asleep.streamId, offset: asleep.end });
    await drawn(asleep);
    expect(asleep.skips).toHaveLength(1);
    expect(asleep.bytes + (asleep.skips[0]?.bytes ?? 0)).toBe(session.transcript.length - from);
    const whole = await session.transcript.read((asleep.skips[0]?.offset ?? 0) - 1, 1);
    expect(whole.toString()).toBe('\n');
  });

  it('FC48 a late view of a long transcript starts 4 MiB before its end, at a line, and is told', async () => {
    const late = await (await view()).draw({ session: 'web-1', lane: 'commands' });
    await drawn(late);
    expect(late.skips).toHaveLength(1);
    expect(late.bytes).toBeLessThanOrEqual(4 * MIB);
    expect(late.bytes).toBeGreaterThan(4 * MIB - 64 * 1024);
    expect((late.skips[0]?.bytes ?? 0) + late.bytes).toBe(session.transcript.length);
  });

  it('FC48 Ctrl+C in a terminal that floods acts at once, also with a view that sleeps', async () => {
    const [driver, sleeping] = [await view('operator'), await view()];
    await driver.call('lease.take', { session: 'web-1' });
    await driver.call('terminal.open', { session: 'web-1', cols: 80, rows: 24 });
    const screen = await driver.draw({ session: 'web-1', lane: 'terminal' });
    const asleep = await sleeping.draw({ session: 'web-1', lane: 'terminal' }, false);
    const key = (text: string) =>
      driver.call('terminal.input', { session: 'web-1', base64: Buffer.from(text).toString('base64') });
    await key('yes flood\n');
    await waitFor('the flood', () => screen.bytes > 4 * MIB, 20_000);
    const pressed = session.terminal.stream.length;
    await key('\u0003');
    await key('echo stopped-$((1+1))\n');
    await waitFor('the prompt', () => screen.text.includes('stopped-2'), 20_000);
    // What was under way when the key was pressed still comes: the channel's window and little more (2.8 MB measured).
    // Counted in bytes, because seconds depend on what else the machine does.
    expect(session.terminal.stream.length - pressed).toBeLessThan(4 * MIB);
    expect(asleep.bytes).toBeLessThanOrEqual(MIB);
  });
});

/** Characters whose bytes come in several packets, and what they are together. */
const SPLIT: readonly { readonly chunks: readonly string[]; readonly line: string }[] = [
  { chunks: ['41e280', '9442'], line: 'A\u2014B' },
  { chunks: ['41f09080', '8042'], line: 'A\u{10000}B' },
  { chunks: ['e29480', 'e29480e2', '9480'], line: '\u2500\u2500\u2500' },
  { chunks: ['41f09fa791e280', '8df09f92bb42'], line: 'A\u{1f9d1}\u200d\u{1f4bb}B' },
];

describe('FC47 characters at the end of a packet', () => {
  it('FC47 reach every view byte for byte, live and on replay', async () => {
    const live = await (
      await view()
    ).draw({ session: 'web-1', lane: 'commands', fromOffset: session.transcript.length });
    const prints = SPLIT.flatMap(({ chunks }) => [
      ...chunks.map((hex) => `printf '${hex.replaceAll(/../g, '\\x$&')}'; sleep 0.01`),
      'echo',
    ]);
    await run(prints.join('\n')).ended;
    await drawn(live);
    const replay = await (await view()).draw({ session: 'web-1', lane: 'commands' });
    await drawn(replay);
    for (const stream of [live, replay]) {
      const text = new TextDecoder().decode(Buffer.from(stream.text, 'latin1'));
      for (const { line } of SPLIT) expect(text).toContain(`${line}\n`);
    }
  });
});

describe('FC49 views never answer for themselves', () => {
  it('FC49 a query gets one answer with three views open, and none when it is shown again', async () => {
    const other = await rig.connect('asks', sshd);
    other.lease.take(person);
    await other.terminal.ensureOpen({ cols: 80, rows: 24 });
    const views = [await view(), await view(), await view('operator')];
    const streams = await Promise.all(views.map((one) => one.draw({ session: 'asks', lane: 'terminal' })));
    // What the shell gets as input within the time is counted by the host itself.
    const script = `stty raw -echo; printf '\\033[6n\\033[c\\033[5n'; got=$(timeout --foreground 2 cat | tr -d '\\033' | tr '\\r' ' '); stty sane; echo "g""ot<$got>"\n`;
    await other.terminal.type(Buffer.from(script));
    await waitFor('the count', () => streams.every((stream) => /got<[^>]*>/.test(stream.text)), 15_000);
    const answers = /got<([^>]*)>/.exec(streams[0]?.text ?? '')?.[1] ?? '';
    expect(answers.match(/\d+;\d+R/g)).toHaveLength(1);
    expect(answers.match(/\[\?[\d;]+c/g)).toHaveLength(1);
    expect(answers.match(/\[0n/g)).toHaveLength(1);
    const again = await (await view()).draw({ session: 'asks', lane: 'terminal' });
    await waitFor('the drawing', () => again.snapshots.length > 0);
    const quiet = `stty raw -echo; got=$(timeout --foreground 1 cat | wc -c); stty sane; echo "th""en<$got>"\n`;
    await other.terminal.type(Buffer.from(quiet));
    await waitFor('the count', () => /then<\d+>/.test(again.text), 10_000);
    expect(/then<(\d+)>/.exec(again.text)?.[1]).toBe('0');
  });

  it('FC49 the drawing that a late view gets holds no query', async () => {
    await type(`printf '\\033[6n\\033[c\\033[>c\\033]10;?\\007\\033[18t\\005\\033P$qm\\033\\\\'; echo as""ked\n`);
    const live = await (await view()).draw({ session: 'web-1', lane: 'terminal' });
    await waitFor('the output', () => live.text.includes('asked'));
    const late = await (await view()).draw({ session: 'web-1', lane: 'terminal' });
    await waitFor('the drawing', () => late.snapshots.length > 0);
    const drawing = Buffer.from(late.snapshots[0]?.bytes ?? []).toString('latin1');
    for (const query of ['\u001b[6n', '\u001b[c', '\u001b[>c', '\u001b]10;?', '\u001b[18t', '\u0005', '\u001bP$q']) {
      expect(drawing).not.toContain(query);
    }
  });
});
