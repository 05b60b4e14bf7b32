import headless from '@xterm/headless';
import { describe, expect, it } from 'vitest';
import { silenceQueries } from '../../../src-renderer/terminal/silence-queries.ts';

const QUERIES = [
  '\u001b[6n',
  '\u001b[5n',
  '\u001b[?6n',
  '\u001b[c',
  '\u001b[0c',
  '\u001b[>c',
  '\u001b[=c',
  '\u001b]10;?\u0007',
  '\u001b]4;1;?\u0007',
  '\u001b]11;?\u001b\\',
  '\u001b[18t',
  '\u001b[14t',
  '\u0005',
  '\u001bZ',
  '\u001bP$qm\u001b\\',
  '\u001bP+q544e\u001b\\',
  '\u001b[?1$p',
  '\u001b[4$p',
  '\u001b[>q',
  '\u001b[?u',
];

async function answersOf(silent: boolean, text: string): Promise<string[]> {
  const terminal = new headless.Terminal({
    allowProposedApi: true,
    windowOptions: { getWinSizeChars: true, getWinSizePixels: true },
  });
  const answers: string[] = [];
  terminal.onData((data) => answers.push(data));
  if (silent) silenceQueries(terminal.parser);
  await new Promise<void>((resolve) => {
    terminal.write(text, resolve);
  });
  terminal.dispose();
  return answers;
}

describe('FC49 a view’s terminal', () => {
  it.each(QUERIES)('FC49 says nothing when a host asks %j', async (query) => {
    expect(await answersOf(true, `before${query}after`)).toEqual([]);
  });

  it('FC49 would answer without the hooks, so this test can fail', async () => {
    expect((await answersOf(false, QUERIES.join(''))).length).toBeGreaterThan(5);
  });

  it('FC49 still draws what is no query', async () => {
    const terminal = new headless.Terminal({ allowProposedApi: true });
    silenceQueries(terminal.parser);
    await new Promise<void>((resolve) => {
      terminal.write('\u001b]4;1;#ff0000\u0007\u001b[31mred\u001b[0m\u001b[2;1Hsecond', resolve);
    });
    expect(terminal.buffer.active.getLine(1)?.translateToString(true)).toBe('second');
    terminal.dispose();
  });
});
