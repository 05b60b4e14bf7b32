import headless from '@xterm/headless';
import { describe, expect, it } from 'vitest';
import { keepToLines } from '../../../src-renderer/terminal/keep-to-lines.ts';
import { terminalText } from '../../../src-renderer/terminal/options.ts';

/** What a Commands terminal shows after a header and then this output. */
async function shown(output: string): Promise<{ text: string; answers: string[]; titles: string[] }> {
  const terminal = new headless.Terminal({ cols: 40, rows: 6, convertEol: true, allowProposedApi: true });
  const answers: string[] = [];
  const titles: string[] = [];
  terminal.onData((data) => answers.push(data));
  terminal.onTitleChange((title) => titles.push(title));
  keepToLines(terminal.parser);
  await new Promise<void>((resolve) => {
    terminal.write(`header\n${output}`, resolve);
  });
  const text = terminalText(terminal as unknown as Parameters<typeof terminalText>[0]);
  terminal.dispose();
  return { text, answers, titles };
}

const ESC = '\u001b';

describe('output in the Commands terminal', () => {
  it.each([
    ['moves the cursor up', `a${ESC}[1Aspoof`],
    ['goes home', `a${ESC}[Hspoof`],
    ['goes to a row', `a${ESC}[1dspoof`],
    ['goes to the previous line', `a${ESC}[1Fspoof`],
    ['goes back a line', `a${ESC}Mspoof`],
    ['restores a cursor it never saved', `a${ESC}8spoof`],
    ['restores by the other sequence', `a${ESC}[uspoof`],
    ['clears the screen', `a${ESC}[2Jspoof`],
    ['clears what scrolled away', `a${ESC}[3Jspoof`],
    ['resets', `a${ESC}cspoof`],
    ['soft resets', `a${ESC}[!pspoof`],
    ['goes to the other screen', `a${ESC}[?1049hspoof`],
    ['scrolls down', `a${ESC}[3Tspoof`],
    ['inserts lines', `a${ESC}[2Lspoof`],
    ['deletes lines', `a${ESC}[2Mspoof`],
    ['sets a scroll region', `a${ESC}[1;2rspoof`],
    ['fills the screen', `a${ESC}#8spoof`],
    ['wraps backwards', `a${ESC}[?45h\b\b\b\bspoof`],
    ['draws with another character set', `${ESC}(0a${ESC}(Bspoof`],
  ])('cannot touch the header when it %s', async (_what, output) => {
    const { text } = await shown(output);
    expect(text.split('\n')[0]).toBe('header');
    expect(text).toContain('spoof');
    expect(text.split('\n')).toHaveLength(2);
  });

  it('still colours, erases and overwrites its own line', async () => {
    const { text } = await shown(`${ESC}[31m10 %\r${ESC}[K100 %${ESC}[0m\tdone\b!\n`);
    expect(text).toBe('header\n100 %   don!');
  });

  it('sets no title and asks nothing', async () => {
    const queries = `${ESC}[c${ESC}[>c${ESC}[6n${ESC}[?6n${ESC}P$qm${ESC}\\${ESC}]10;?\u0007${ESC}[18t${ESC}[?1$p${ESC}[4$p`;
    const { answers, titles } = await shown(`${ESC}]0;evil\u0007${ESC}]2;evil\u0007${queries}`);
    expect([answers, titles]).toEqual([[], []]);
  });
});
