import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

type Tokens = ReadonlyMap<string, string>;
let themes: Readonly<Record<'dark' | 'light', Tokens>>;

function tokensOf(css: string, selector: RegExp): Tokens {
  const block = selector.exec(css)?.[1] ?? '';
  return new Map([...block.matchAll(/--([a-z0-9-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]));
}

beforeAll(async () => {
  const css = await readFile(path.resolve('src-renderer/styles/tokens.css'), 'utf8');
  themes = {
    dark: tokensOf(css, /\[data-theme='dark'\]\s*{([^}]*)}/),
    light: tokensOf(css, /\[data-theme='light'\]\s*{([^}]*)}/),
  };
});

function channel(value: number): number {
  const part = value / 255;
  return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

function luminance(colour: string): number {
  const parts = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/.exec(colour);
  if (parts === null) throw new Error(`not a plain colour: ${colour}`);
  const [red, green, blue] = parts.slice(1).map((part) => channel(Number.parseInt(part, 16)));
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

/** WCAG 2.2 contrast ratio, 1 to 21. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const SURFACES = ['bg-app', 'bg-side', 'bg-pane', 'bg-raise'];
const TEXTS = ['fg-1', 'fg-2', 'fg-3', 'agent', 'you', 'ok', 'warn', 'bad', 'accent'];
const PAIRS: readonly (readonly [text: string, surface: string])[] = [
  ...SURFACES.flatMap((surface) => TEXTS.map((text) => [text, surface] as const)),
  ...['fg-1', 'fg-2'].flatMap((text) => ['bg-hover', 'bg-select'].map((surface) => [text, surface] as const)),
  ...['agent', 'you', 'ok', 'warn', 'bad'].map((text) => [text, 'bg-select'] as const),
  ['accent-ink', 'accent'],
  ['accent-ink', 'accent-hover'],
  ['agent', 'agent-bg'],
  ['you', 'you-bg'],
  ['bad', 'bad-bg'],
  ['fg-1', 'bad-bg'],
  ['fg-1', 'warn-bg'],
  ['bg-app', 'you'],
  ['fg-1', 'find-match'],
  ['fg-1', 'term-selection'],
  ...['fg-1', 'fg-3', 'term-red', 'bad', 'ok'].map((text) => [text, 'bad-tint'] as const),
];

describe.each(['dark', 'light'] as const)('contrast in the %s theme', (theme) => {
  it.each(PAIRS)('%s is readable on %s', (text, surface) => {
    const tokens = themes[theme];
    expect(contrast(tokens.get(text) ?? '', tokens.get(surface) ?? '')).toBeGreaterThanOrEqual(4.5);
  });

  it('has terminal colours that are readable on the pane', () => {
    const tokens = themes[theme];
    const ansi = [...tokens].filter(([name]) =>
      /^term-(bright-)?(red|green|yellow|blue|magenta|cyan|white)$/.test(name),
    );
    expect(ansi).toHaveLength(14);
    const weak = ansi.filter(([, colour]) => contrast(colour, tokens.get('bg-pane') ?? '') < 4.5);
    expect(weak).toEqual([]);
  });

  it('has a focus ring and field borders that stand out', () => {
    const tokens = themes[theme];
    for (const surface of SURFACES) {
      expect(contrast(tokens.get('focus') ?? '', tokens.get(surface) ?? '')).toBeGreaterThanOrEqual(3);
      expect(contrast(tokens.get('line-3') ?? '', tokens.get(surface) ?? '')).toBeGreaterThanOrEqual(3);
    }
  });
});
