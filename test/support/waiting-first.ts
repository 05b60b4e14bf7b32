// The order of test files: those that mostly wait, for minutes, are begun first and so cost the whole run nothing.
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

const WAITING = /engine\/(long-commands|faults)\.test\.ts$/;

/** vitest's own order behind the files that wait. */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = (file: TestSpecification): number => (WAITING.test(file.moduleId) ? 0 : 1);
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
