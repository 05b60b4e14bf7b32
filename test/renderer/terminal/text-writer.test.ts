import headless from '@xterm/headless';
import { describe, expect, it } from 'vitest';
import { TextWriter, terminalText } from '../../../src-renderer/terminal/options.ts';

/** Writes pieces one after the other into a terminal of 40 columns, as a stream does. */
async function drawn(pieces: readonly Uint8Array[]): Promise<string> {
  const terminal = new headless.Terminal({ cols: 40, rows: 10, allowProposedApi: true, convertEol: true });
  const writer = new TextWriter((text, done) => terminal.write(text, done));
  for (const piece of pieces) {
    await new Promise<void>((resolve) => {
      writer.write(piece, resolve);
    });
  }
  const text = terminalText(terminal as unknown as Parameters<typeof terminalText>[0]);
  terminal.dispose();
  return text;
}

const hex = (...pieces: readonly string[]): Uint8Array[] =>
  pieces.map((piece) => Uint8Array.from(Buffer.from(piece, 'hex')));

describe('FC47 characters cut between frames', () => {
  it.each([
    [['41e280', '9442'], 'A—B'],
    [['41e2', '80', '9442'], 'A—B'],
    [['41f09080', '8042'], 'A𐀀B'],
    [['41f09fa791e280', '8df09f92bb42'], 'A🧑‍💻B'],
    [['e29480', 'e29480e2', '9480'], '───'],
    [['41c3', '28', '42'], 'A\ufffd(B'],
  ])('FC47 draws %j as %s', async (pieces, line) => {
    expect(await drawn(hex(...pieces))).toBe(line);
  });

  it('FC47 draws the same for every place where a text can be cut', async () => {
    const text = '┌─ żółć ─ 漢字 😀 🧑‍💻 ─┐';
    const bytes = new TextEncoder().encode(text);
    for (let at = 1; at < bytes.length; at += 1) {
      expect(await drawn([bytes.subarray(0, at), bytes.subarray(at)])).toBe(text);
    }
  });

  it('acknowledges a piece that holds no whole character', async () => {
    let done = 0;
    const writer = new TextWriter((_text, drawnNow) => drawnNow());
    writer.write(Uint8Array.of(0xe2), () => (done += 1));
    expect(done).toBe(1);
  });

  it('joins wrapped rows to one line', async () => {
    expect(await drawn([new TextEncoder().encode(`${'x'.repeat(95)}\nend`)])).toBe(`${'x'.repeat(95)}\nend`);
  });
});
