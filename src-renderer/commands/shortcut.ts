// Key combinations: how they are written on screen and when an event is one.

/** A combination. `mod` is Ctrl, or Command on a Mac. */
export interface Shortcut {
  /** As in KeyboardEvent.key, letters in lower case. */
  readonly key: string;
  readonly mod?: true;
  readonly alt?: true;
  readonly shift?: true;
  /** Also while the person types into a host's terminal, where other combinations belong to the host. */
  readonly overTerminal?: true;
}

const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);

const SIGNS: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ',': ',',
};

/** The combination as keys are labelled on this computer. */
export function shortcutText(shortcut: Shortcut): string {
  const mac = isMac();
  const parts = [
    shortcut.mod === true ? (mac ? '⌘' : 'Ctrl') : '',
    shortcut.alt === true ? (mac ? '⌥' : 'Alt') : '',
    shortcut.shift === true ? (mac ? '⇧' : 'Shift') : '',
    SIGNS[shortcut.key] ?? (shortcut.key.length === 1 ? shortcut.key.toUpperCase() : shortcut.key),
  ];
  return parts.filter(Boolean).join(mac ? '' : ' ');
}

/** The same for `aria-keyshortcuts`. */
export function shortcutAria(shortcut: Shortcut): string {
  const mod = isMac() ? 'Meta' : 'Control';
  const parts = [
    shortcut.mod === true ? mod : '',
    shortcut.alt === true ? 'Alt' : '',
    shortcut.shift === true ? 'Shift' : '',
    shortcut.key,
  ];
  return parts.filter(Boolean).join('+');
}

/** What a matching needs of a keyboard event. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Whether the event is this combination. */
export function isShortcut(press: KeyPress, shortcut: Shortcut): boolean {
  const mod = isMac() ? press.metaKey && !press.ctrlKey : press.ctrlKey && !press.metaKey;
  const noMod = !press.ctrlKey && !press.metaKey;
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
  if (key !== shortcut.key || press.altKey !== (shortcut.alt === true)) return false;
  if (shortcut.mod === true ? !mod : !noMod) return false;
  return press.shiftKey === (shortcut.shift === true);
}

/** Whether hints may name keys: a phone has none, and shows buttons for all that they do. */
export function hasKeys(): boolean {
  return typeof matchMedia !== 'function' || !matchMedia('(max-width: 719px), (pointer: coarse)').matches;
}
