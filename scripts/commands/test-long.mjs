// npm run test:long: tests that take half an hour; arguments go to vitest.
import { testProject } from '../test/single.mjs';

/** Runs the long tests, which are no part of npm test. */
export const command = (args) => testProject('long', args);
