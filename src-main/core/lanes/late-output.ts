// Collects what background jobs print between commands, for a notice with the next result.
import type { StreamName } from '../../../src-shared/model/index.ts';
import { toPlainText } from './plain-text.ts';

/** Of each stream this much is shown. */
const SHOWN_BYTES = 1000;

/** Output of background jobs since it was last taken. */
export interface LateOutput {
  add(stream: StreamName, bytes: Buffer): void;
  /** The notices for the next result; empty when there was none. */
  take(): readonly string[];
}

/** Makes an empty collection. */
export function createLateOutput(): LateOutput {
  const kept: Record<StreamName, { last: Buffer; total: number }> = { stdout: empty(), stderr: empty() };
  return {
    add(stream, bytes) {
      const { last, total } = kept[stream];
      const all = Buffer.concat([last, bytes]);
      kept[stream] = { last: all.subarray(Math.max(0, all.length - SHOWN_BYTES)), total: total + bytes.length };
    },
    take() {
      const notices = (['stdout', 'stderr'] as const).flatMap((stream) => describe(stream, kept[stream]));
      kept.stdout = empty();
      kept.stderr = empty();
      return notices;
    },
  };
}

function empty(): { last: Buffer; total: number } {
  return { last: Buffer.alloc(0), total: 0 };
}

function describe(stream: StreamName, { last, total }: { last: Buffer; total: number }): readonly string[] {
  if (total === 0) return [];
  const size = total > last.length ? `${total} bytes, the last ${last.length}` : `${total} bytes`;
  return [
    `A background job printed on ${stream} between commands (${size}): ${toPlainText(last.toString('utf8')).text}`,
  ];
}
