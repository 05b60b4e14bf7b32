import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { COMMANDS } from '../../../src-renderer/commands/registry.ts';
import { isShortcut, shortcutAria, shortcutText } from '../../../src-renderer/commands/shortcut.ts';

const press = (key: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey', true>> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});

beforeEach(() => void vi.stubGlobal('navigator', { userAgent: 'X11; Linux x86_64' }));
afterEach(() => void vi.unstubAllGlobals());

describe('shortcuts', () => {
  it('use Command on a Mac', () => {
    vi.stubGlobal('navigator', { userAgent: 'Macintosh; Intel Mac OS X' });
    expect(shortcutText({ key: 'k', mod: true, shift: true })).toBe('⌘⇧K');
    expect(isShortcut(press('k', { metaKey: true }), { key: 'k', mod: true })).toBe(true);
    expect(isShortcut(press('k', { ctrlKey: true }), { key: 'k', mod: true })).toBe(false);
  });

  it('match their keys and nothing more', () => {
    const palette = { key: 'k', mod: true } as const;
    expect(isShortcut(press('k', { ctrlKey: true }), palette)).toBe(true);
    expect(isShortcut(press('K', { ctrlKey: true }), palette)).toBe(true);
    expect(isShortcut(press('k'), palette)).toBe(false);
    expect(isShortcut(press('k', { ctrlKey: true, shiftKey: true }), palette)).toBe(false);
    expect(isShortcut(press('k', { ctrlKey: true, altKey: true }), palette)).toBe(false);
    expect(isShortcut(press('F8'), { key: 'F8' })).toBe(true);
  });

  it('are written as the keys are labelled', () => {
    expect(shortcutText({ key: 'k', mod: true, shift: true })).toBe('Ctrl Shift K');
    expect(shortcutText({ key: 'ArrowUp', alt: true })).toBe('Alt ↑');
    expect(shortcutAria({ key: 'k', mod: true })).toBe('Control+k');
  });

  it('are each given once', () => {
    const given = COMMANDS.flatMap(({ shortcut }) => (shortcut === undefined ? [] : [shortcutText(shortcut)]));
    expect(given).toHaveLength(new Set(given).size);
    expect(new Set(COMMANDS.map(({ id }) => id)).size).toBe(COMMANDS.length);
  });
});
