// How the tests run: fast and integration tests in three forks (one of them mostly waits), window and page tests one after another.
import { defineConfig } from 'vitest/config';
import { WaitingFirst } from './test/support/waiting-first.ts';

const FOLDERS = 'shared,core,mcp,conformance,gateway,bridge,acceptance,electron,renderer,headless,tools,support';

/** Files that need something this machine lacks; whoever sets it reports them. */
const LEFT_OUT = (process.env['PATCHBAY_LEAVE_OUT'] ?? '').split(',').filter((file) => file !== '');

/** Integration tests start real servers, so a test may take longer than vitest's own five seconds. */
const UNIT_TIMEOUT_MS = 30_000;
const E2E_TIMEOUT_MS = 180_000;

export default defineConfig({
  test: {
    pool: 'forks',
    poolOptions: { forks: { minForks: 1, maxForks: 3 } },
    reporters: ['default'],
    passWithNoTests: false,
    sequence: { sequencer: WaitingFirst },
    coverage: {
      provider: 'v8',
      include: ['src-shared/**/*.ts', 'src-main/core/**/*.ts'],
      reportsDirectory: 'coverage',
      reporter: ['text-summary', 'json-summary'],
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [`test/{${FOLDERS}}/**/*.test.{ts,tsx}`],
          exclude: ['test/tools/samples/**', ...LEFT_OUT],
          globalSetup: ['test/support/built.ts'],
          testTimeout: UNIT_TIMEOUT_MS,
          hookTimeout: UNIT_TIMEOUT_MS,
        },
      },
      {
        extends: true,
        test: {
          // Not part of npm test: npm run test:long.
          name: 'long',
          include: ['test/long/**/*.test.ts'],
          globalSetup: ['test/support/built.ts'],
          hookTimeout: UNIT_TIMEOUT_MS,
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.{ts,tsx}'],
          exclude: LEFT_OUT,
          globalSetup: ['test/support/built.ts'],
          testTimeout: E2E_TIMEOUT_MS,
          hookTimeout: E2E_TIMEOUT_MS,
          fileParallelism: false,
          poolOptions: { forks: { singleFork: true } },
        },
      },
    ],
  },
});
