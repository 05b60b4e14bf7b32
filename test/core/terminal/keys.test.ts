// The bytes of every key, in both cursor key modes.
import { expect, it } from 'vitest';
import { TERMINAL_KEYS } from '../../../src-shared/tools/index.ts';
import { keyBytes, typedText } from '../../../src-main/core/terminal/keys.ts';

it('knows every key that the tool declares', () => {
  expect(TERMINAL_KEYS.filter((key) => (keyBytes(key, false) ?? '') === '')).toEqual([]);
  expect(keyBytes('no-such-key', false)).toBeUndefined();
});

it('sends cursor keys as the program asked for', () => {
  expect(['up', 'down', 'right', 'left', 'home', 'end'].map((key) => keyBytes(key, false))).toEqual([
    ...['\u001b[A', '\u001b[B', '\u001b[C', '\u001b[D', '\u001b[H', '\u001b[F'],
  ]);
  expect(keyBytes('up', true)).toBe('\u001bOA');
  expect(keyBytes('page-up', true)).toBe('\u001b[5~');
});

it('sends control characters', () => {
  expect(['ctrl-a', 'ctrl-c', 'ctrl-z', 'ctrl-\\'].map((key) => keyBytes(key, false))).toEqual([
    ...['\u0001', '\u0003', '\u001a', '\u001c'],
  ]);
});

it('types line ends as Enter', () => {
  expect(typedText('a\nb\r\nc\rd')).toBe('a\rb\rc\rd');
});
