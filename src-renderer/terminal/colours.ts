// The colours of terminals, read from the page's tokens so that both follow the theme.
import type { ITheme } from '@xterm/xterm';

const ANSI = [
  'black',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  'white',
  'brightBlack',
  'brightRed',
  'brightGreen',
  'brightYellow',
  'brightBlue',
  'brightMagenta',
  'brightCyan',
  'brightWhite',
] as const;

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The theme as the tokens say now. `clear`: the pane behind shows through (its colour still counts for contrast). */
export function terminalTheme(background: 'solid' | 'clear'): ITheme {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const pane = token('bg-pane');
  const theme: ITheme = {
    background: background === 'clear' ? `${pane}00` : pane,
    foreground: token('fg-1'),
    cursor: token('fg-1'),
    cursorAccent: pane,
    overviewRulerBorder: `${pane}00`,
    selectionBackground: token('term-selection'),
    scrollbarSliderBackground: token('term-slider'),
    scrollbarSliderHoverBackground: token('term-slider-hover'),
    scrollbarSliderActiveBackground: token('term-slider-hover'),
  };
  for (const name of ANSI) theme[name] = token(`term-${kebab(name)}`);
  return theme;
}

/** Colours of found text. */
export function findColours() {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    matchBackground: token('find-match'),
    matchOverviewRuler: token('find-active'),
    activeMatchBackground: token('find-active'),
    activeMatchColorOverviewRuler: token('find-active'),
  };
}
