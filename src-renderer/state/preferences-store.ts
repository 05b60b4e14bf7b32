// What the person likes: theme, size of terminal text, screen reader. Kept by this browser or window.
import * as z from 'zod';
import { createStore } from 'zustand/vanilla';

/** Smallest and largest size of terminal text, in pixels. */
export const FONT_SIZE = { least: 10, most: 22 } as const;

const preferencesSchema = z.object({
  theme: z.enum(['system', 'light', 'dark']).catch('system'),
  /** Pixels. */
  fontSize: z.number().min(FONT_SIZE.least).max(FONT_SIZE.most).catch(12.5),
  screenReader: z.boolean().catch(false),
});
export type Preferences = z.infer<typeof preferencesSchema>;

const KEY = 'patchbay.preferences';

function load(): Preferences {
  try {
    return preferencesSchema.parse(JSON.parse(localStorage.getItem(KEY) ?? '{}'));
  } catch {
    // Storage may be forbidden or damaged; the defaults are fine then.
    return preferencesSchema.parse({});
  }
}

function save(preferences: Preferences): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
}

/** Makes the store and keeps it. */
export function createPreferencesStore() {
  const store = createStore<Preferences>(load);
  store.subscribe(save);
  return store;
}
export type PreferencesStore = ReturnType<typeof createPreferencesStore>;

const darkQuery = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)');

/** The theme that is shown now. */
export function shownTheme(preferences: Preferences): 'light' | 'dark' {
  if (preferences.theme !== 'system') return preferences.theme;
  return darkQuery().matches ? 'dark' : 'light';
}

/** Puts the theme on the page, now and whenever choice or system change. */
export function applyTheme(store: PreferencesStore, changed: () => void): void {
  const apply = (): void => {
    document.documentElement.dataset['theme'] = shownTheme(store.getState());
    changed();
  };
  store.subscribe(apply);
  darkQuery().addEventListener('change', apply);
  apply();
}
