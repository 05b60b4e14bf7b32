// npm run test:e2e: the tests of window and page; arguments go to vitest.
import { testProject } from '../test/single.mjs';

/** Runs the window and page tests. */
export const command = (args) => testProject('e2e', args);
