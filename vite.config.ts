// How the renderer is built and served: two pages, the window and the page in a browser, from one source.
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const page = (name: string) => fileURLToPath(new URL(`src-renderer/${name}.html`, import.meta.url));

export default defineConfig({
  root: 'src-renderer',
  base: './',
  publicDir: false,
  plugins: [react()],
  build: {
    outDir: '../out/renderer',
    emptyOutDir: true,
    target: 'chrome130',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
    rollupOptions: { input: ['window', 'monitor'].map(page) },
  },
  server: { host: '127.0.0.1', strictPort: false },
});
