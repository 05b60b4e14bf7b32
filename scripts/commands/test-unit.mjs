// npm run test:unit: the tests that need no window; arguments go to vitest.
import { testProject } from '../test/single.mjs';

/** Runs the unit and integration tests. */
export const command = (args) => testProject('unit', args);
