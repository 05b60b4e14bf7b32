// Starts a view on the page: the same for the window and for a browser.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '@xterm/xterm/css/xterm.css';
import './styles/index.css';
import { App } from './components/app.tsx';
import type { Door } from './connection/transport.ts';
import { PatchbayProvider } from './state/context.ts';
import { createPatchbay } from './state/patchbay.ts';
import type { Patchbay } from './state/patchbay.ts';
import { applyTheme } from './state/preferences-store.ts';
import { exposeTestHandle } from './terminal/test-handle.ts';

/** Draws the view; the caller connects its line. */
export function startView(door: Door, selected: string | null): Patchbay {
  const root = document.getElementById('root');
  if (root === null) throw new Error('the page has no #root');
  const patchbay = createPatchbay(door, selected);
  const { preferences } = patchbay.stores;
  applyTheme(preferences, () => {
    // Terminals read their colours from the page's tokens, which have just changed.
    const { commands, terminal } = patchbay.panes;
    commands?.apply(preferences.getState());
    terminal?.apply(preferences.getState());
  });
  exposeTestHandle();
  createRoot(root).render(
    <StrictMode>
      <PatchbayProvider value={patchbay}>
        <App />
      </PatchbayProvider>
    </StrictMode>,
  );
  return patchbay;
}
