// What both terminals have in common: font, contrast, links, and text from bytes.
import type { ITerminalOptions, Terminal } from '@xterm/xterm';
import type { Preferences } from '../state/preferences-store.ts';

/** As CSS wants it; the bundled font first. */
export const MONO_FONT = '"JetBrains Mono Variable", ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace';

/** Options of both terminals. */
export function commonOptions(preferences: Preferences): ITerminalOptions {
  return {
    allowProposedApi: true,
    fontFamily: MONO_FONT,
    fontSize: preferences.fontSize,
    fontWeightBold: 600,
    // JetBrains Mono brings 1.32 of its own.
    lineHeight: 1.06,
    minimumContrastRatio: 4.5,
    drawBoldTextInBrightColors: false,
    screenReaderMode: preferences.screenReader,
    overviewRuler: { width: 10 },
    smoothScrollDuration: 0,
    logLevel: 'off',
  };
}

/** Resolves when the terminal's font can be measured; a font that does not load must not keep the pane empty. */
export async function fontReady(): Promise<void> {
  await Promise.allSettled([
    document.fonts.load('12px "JetBrains Mono Variable"'),
    document.fonts.load('600 12px "JetBrains Mono Variable"'),
  ]);
}

/** Writes bytes as text: one streaming decoder per stream, because xterm.js loses characters cut between two arrays. */
export class TextWriter {
  #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #write: (text: string, drawn: () => void) => void;

  constructor(write: (text: string, drawn: () => void) => void) {
    this.#write = write;
  }

  write(bytes: Uint8Array, drawn: () => void): void {
    const text = this.#decoder.decode(bytes, { stream: true });
    if (text === '') drawn();
    else this.#write(text, drawn);
  }

  /** Forgets half a character: what comes next does not continue it. */
  reset(): void {
    this.#decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  }
}

/** The text of a terminal with wrapped rows joined, without the empty rows at its end. */
export function terminalText(terminal: Pick<Terminal, 'buffer'>): string {
  const buffer = terminal.buffer.active;
  const lines: string[] = [];
  for (let row = 0; row < buffer.length; row += 1) {
    const line = buffer.getLine(row);
    const wrapsOn = buffer.getLine(row + 1)?.isWrapped ?? false;
    const text = line?.translateToString(!wrapsOn) ?? '';
    if (line?.isWrapped === true) lines.push((lines.pop() ?? '') + text);
    else lines.push(text);
  }
  return lines.join('\n').trimEnd();
}
